#include "whereof/document_map.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "answering/language.h"
#include "answering/prompt.h"
#include "whereof/error.h"
#include "whereof/retrieval.h"

namespace whereof {
namespace {

using answering::Prompt;
using answering::ReadSentence;

// The clause itself, or that above it which lies at this depth.
std::int32_t above(const Document& document, std::int32_t clause, std::int32_t depth) {
  while (clause >= 0 && document.clauses[static_cast<std::size_t>(clause)].depth > depth) {
    clause = document.clauses[static_cast<std::size_t>(clause)].parent;
  }
  return clause;
}

// Sentences that follow each other in one unit.
struct Run {
  std::size_t unit = 0;
  Span tokens;
};

struct Units {
  std::vector<DocumentMap::Unit> units;
  std::vector<Run> runs;  // ascending, disjoint
};

Units units_at(const Document& document, const Prompt& prompt, std::int32_t depth) {
  Units result;
  std::map<std::int32_t, std::size_t> known;
  for (const ReadSentence& sentence : prompt.sentences) {
    const std::int32_t clause = above(document, sentence.clause, depth);
    const auto [place, is_new] = known.emplace(clause, result.units.size());
    if (is_new) result.units.push_back({clause, sentence.document, 0});
    DocumentMap::Unit& unit = result.units[place->second];
    unit.text.begin = std::min(unit.text.begin, sentence.document.begin);
    unit.text.end = std::max(unit.text.end, sentence.document.end);
    unit.tokens += sentence.tokens.length();
    const bool goes_on = !result.runs.empty() && result.runs.back().unit == place->second;
    if (goes_on) {
      result.runs.back().tokens.end = sentence.tokens.end;
    } else {
      result.runs.push_back({place->second, sentence.tokens});
    }
  }
  return result;
}

// As deep as leaves at most kMostMapUnits units, but for a document with more at the top.
Units units_of(const Document& document, const Prompt& prompt) {
  std::int32_t depth = 0;
  for (const Clause& clause : document.clauses) depth = std::max(depth, clause.depth);
  Units units = units_at(document, prompt, depth);
  while (units.units.size() > kMostMapUnits && depth > 0) {
    units = units_at(document, prompt, --depth);
  }
  return units;
}

// [layers][heads]
std::vector<std::vector<double>> head_weights(const HeadWeights& heads, const Model& model) {
  const ModelDescription& shape = model.description();
  const double each = heads.is_fitted() ? 0 : 1;
  std::vector<std::vector<double>> weights(
      static_cast<std::size_t>(shape.layers),
      std::vector<double>(static_cast<std::size_t>(shape.query_heads), each));
  for (const HeadWeight& head : heads.heads) {
    if (head.layer < 0 || head.layer >= shape.layers || head.head < 0 ||
        head.head >= shape.query_heads) {
      throw Error(ErrorKind::invalid_argument, "document map: head " + std::to_string(head.head) +
                                                   " of layer " + std::to_string(head.layer) +
                                                   " is not in " + shape.name + ", which has " +
                                                   std::to_string(shape.layers) + " layers of " +
                                                   std::to_string(shape.query_heads));
    }
    weights[static_cast<std::size_t>(head.layer)][static_cast<std::size_t>(head.head)] =
        head.weight;
  }
  return weights;
}

std::vector<Evidence> read(std::span<const TokenId> tokens, const Units& units,
                           const std::shared_ptr<const Model>& model,
                           const DocumentMapOptions& options) {
  EvidenceRequest request;
  request.rows = EvidenceRows::by_query_span;
  for (const Run& run : units.runs) request.query_spans.push_back(run.tokens);
  request.key_spans = request.query_spans;
  ContextOptions context_options;
  context_options.capacity_tokens = std::ssize(tokens);
  context_options.threads = options.threads;
  context_options.shared_steps = options.shared_steps;
  const std::unique_ptr<Context> context = Context::create(model, context_options);
  std::vector<Evidence> layers;
  ReadOptions read;
  read.evidence = &request;
  read.layer_evidence = &layers;
  read.wants_logits = false;
  read.progress = options.progress;
  read.stop = options.stop;
  context->read(tokens, read);
  return layers;
}

// w(r, c); [units][units]
std::vector<std::vector<double>> weights_of(const std::vector<Evidence>& layers, const Units& units,
                                            const std::vector<std::vector<double>>& heads) {
  const std::size_t runs = units.runs.size();
  std::vector<std::vector<double>> weights(units.units.size(),
                                           std::vector<double>(units.units.size(), 0));
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (std::size_t head = 0; head < heads[layer].size(); ++head) {
      const double counts = heads[layer][head];
      if (counts == 0) continue;
      const float* mass = layers[layer].span_mass.data() + head * runs * runs;
      for (std::size_t row = 0; row < runs; ++row, mass += runs) {
        std::vector<double>& of_row = weights[units.runs[row].unit];
        for (std::size_t key = 0; key <= row; ++key) {
          of_row[units.runs[key].unit] += counts * static_cast<double>(mass[key]);
        }
      }
    }
  }
  return weights;
}

}  // namespace

DocumentMap document_map(const Document& document, const std::shared_ptr<const Model>& model,
                         const DocumentMapOptions& options) {
  const answering::Manner manner{answering::language_of(document.text), true};
  const Prompt prompt = answering::compose_prompt(
      document, split_passages(document), answering::phrases_in(manner.language).content_free,
      manner, *model);
  const std::vector<std::vector<double>> heads = head_weights(options.heads, *model);
  Units units = units_of(document, prompt);
  DocumentMap map;
  if (units.runs.empty()) return map;
  map.tokens_read = units.runs.back().tokens.end;
  const auto tokens = std::span(prompt.tokens).first(static_cast<std::size_t>(map.tokens_read));
  const auto weights = weights_of(read(tokens, units, model, options), units, heads);
  std::int64_t tokens_before = 0;
  for (std::size_t row = 0; row < units.units.size(); ++row) {
    double total = 0;
    for (std::size_t key = 0; key < row; ++key) total += weights[row][key];
    std::vector<double> shares(row, 0), lifts(row, 0);
    for (std::size_t key = 0; key < row && total > 0; ++key) {
      shares[key] = weights[row][key] / total;
      lifts[key] = shares[key] * static_cast<double>(tokens_before) /
                   static_cast<double>(units.units[key].tokens);
    }
    tokens_before += units.units[row].tokens;
    map.shares.push_back(std::move(shares));
    map.lifts.push_back(std::move(lifts));
  }
  map.units = std::move(units.units);
  return map;
}

}  // namespace whereof
