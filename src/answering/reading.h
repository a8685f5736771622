// How a whole document is read ahead of its questions, and where that is kept.
#ifndef WHEREOF_ANSWERING_READING_H_
#define WHEREOF_ANSWERING_READING_H_

#include <memory>

#include "answering/language.h"
#include "whereof/document.h"
#include "whereof/kv_store.h"
#include "whereof/model.h"

namespace whereof::answering {

// The reading of the whole document as questions of this manner put it to the model.
std::unique_ptr<KeptReading> kept_reading(KvStore& store, const Document& document,
                                          const Model& model, Manner manner);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_READING_H_
