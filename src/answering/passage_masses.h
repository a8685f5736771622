// Masses of questions' rows on passages, wherever the keys of the passages come from.
#ifndef WHEREOF_ANSWERING_PASSAGE_MASSES_H_
#define WHEREOF_ANSWERING_PASSAGE_MASSES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "answering/prompt.h"
#include "whereof/model.h"
#include "whereof/passage_ranking.h"

namespace whereof::answering {

// Questions about the same passages.
struct MassSource {
  std::vector<Prompt> prompts;  // the content-free one first; all begin with the passages
  ElementType kv_type = ElementType::bf16;
  // Puts first tokens that all prompts share into the empty context and returns how many; the rest
  // is read. Empty: all is.
  std::function<std::int64_t(Context&)> fill;
};

// Of so many passages and questions, all zero.
PassageMasses no_masses(const Model& model, std::size_t passages, std::size_t questions);

// Fills in the columns of the prompts' passages, the first of which is first_passage; of options
// all but window_tokens is looked at. Throws what Context throws, and Error(cancelled).
void read_masses(MassSource source, std::shared_ptr<const Model> model,
                 const PassageMassOptions& options, std::int64_t first_passage,
                 PassageMasses& masses);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_PASSAGE_MASSES_H_
