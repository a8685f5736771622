// What an answer depends on, measured: a part of the document is hidden from the question and the
// answer, and the same answer scored again.
//
//   fall = ln P(answer | question, all that was read) - ln P(answer | question, all but the part)
//
// Where the weights of attention say what an answer was read from, a fall says what it depends on.
// It is an ablation over kept keys: what was read after the part may carry some of it on
// (docs/evidence.md compares it with a prompt that the part is deleted from).
#ifndef WHEREOF_ABLATION_H_
#define WHEREOF_ABLATION_H_

namespace whereof {

// A fall is clear from here on, nats: hidden, the part makes the answer less than e^-2 as likely.
// Clauses that say nothing of what is asked move it by less (docs/evidence.md).
constexpr double kClearFall = 2.0;

struct AblationEffect {
  double fall = 0;            // nats, of all tokens of the answer together; below 0: a rise
  double fall_per_token = 0;  // the same over the answer's tokens

  bool is_clear() const noexcept { return fall >= kClearFall; }
};

}  // namespace whereof

#endif  // WHEREOF_ABLATION_H_
