// Alarms: what is wrong, or may be, with a run or with what was read, each with its figure.
#ifndef WHEREOF_ALARM_H_
#define WHEREOF_ALARM_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace whereof {

// Positions that do not agree are no alarm but an error: no answer is given (ask()).
enum class AlarmKind : std::uint8_t {
  attention_collapse,   // a layer puts its weight on few keys: entropy below its normal range
  attention_dilution,   // a layer spreads its weight: entropy above its normal range, near ln T
  score_overflow,       // scores that are no numbers, or too large for their own precision
  beyond_window,        // more positions than the model was trained for
  document_changed,     // the file is another than when it was read
  partly_read,          // pages gave no text
  hidden_text,          // text that a reader of the page does not see; it was kept out
  instructions_inside,  // the document gives orders to whoever answers
};
std::string_view name_of(AlarmKind kind) noexcept;  // "attention_collapse"

struct Alarm {
  AlarmKind kind = AlarmKind::attention_collapse;
  std::int64_t layer = -1;  // -1: of no layer
  double figure = 0;        // what was measured
  double threshold = 0;     // what it passed
  std::string text;         // one line that names layer, figure and threshold
};

// What is watched of a layer, of the answer's rows (of the question's, where there is no answer).
// Means over rows and heads; T is the number of keys that the last row sees.
struct LayerFigures {
  double entropy_share = 0;        // entropy over ln T
  double sink_mass = 0;            // weight on the first position
  double log_sum_exp = 0;          // of the head with the largest mean, its sign dropped
  std::int64_t document_head = 0;  // the head with the most weight on the document
  double document_mass = 0;        // that weight
};

}  // namespace whereof

#endif  // WHEREOF_ALARM_H_
