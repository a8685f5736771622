// How a whole document is read ahead of its questions, and where that is kept.
#ifndef WHEREOF_ANSWERING_READING_H_
#define WHEREOF_ANSWERING_READING_H_

#include <cstdint>
#include <memory>

#include "answering/language.h"
#include "whereof/document.h"
#include "whereof/kv_store.h"
#include "whereof/model.h"

namespace whereof::answering {

// Which of the windows that a document is read in; count 1: it is read whole.
struct ReadingPart {
  std::int64_t number = 1;  // from 1
  std::int64_t count = 1;
};

// The reading of the whole document, or of a window of it, as questions of this manner put it to
// the model.
std::unique_ptr<KeptReading> kept_reading(KvStore& store, const Document& document,
                                          const Model& model, const Manner& manner,
                                          ElementType kv_type, ReadingPart part = {});

// Throws Error(failed_check), naming model and fault, when keys at `count` depths of what the
// context has read do not stand where they belong: an answer from them would cite clauses that do
// not exist.
void require_sound_positions(Context& context, const Model& model, std::int64_t count);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_READING_H_
