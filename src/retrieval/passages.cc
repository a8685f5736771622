// Passages: the tree of clauses packed from below.
//
// A clause that fits into one passage is a block. One that does not is its own text (cut at
// sentence ends if need be) followed by the blocks of its children. Neighbouring blocks under the
// same parent are joined while they fit together, so that "(a) ...; (b) ...;" stays with the words
// that introduce it. Nothing is joined across clauses at the top of the tree, nor across the
// clauses of a part (an article of numbered sections, 第二章): those are what a reader cites.
#include <algorithm>
#include <cstddef>

#include "retrieval/passage_cuts.h"
#include "retrieval/passage_fields.h"
#include "text/utf8.h"
#include "whereof/retrieval.h"

namespace whereof {
namespace {

// Clauses nested deeper than this are taken as text of their ancestor at this depth.
constexpr int kDeepest = 32;

// A run of text of one covered line and one innermost clause.
struct Piece {
  Span text;
  Span characters;  // code points of Document::text
  std::int32_t clause = -1;
  bool starts_paragraph = false;
  bool is_barrier = false;  // contents lines lie before it: no passage reaches across
};

struct Block {
  Span text;
  Span characters;
  std::int32_t clause = -1;
  bool is_barrier = false;
  bool is_lead = false;    // own text before the first child
  bool is_closed = false;  // the first or a later part of a child that did not fit as a whole
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Steps through the clauses in document order and knows the innermost one at each place.
class ClauseCursor {
 public:
  explicit ClauseCursor(const Document& document) : document_(document) {}

  // Ascending calls only.
  std::int32_t innermost_at(std::int64_t byte) {
    const auto& clauses = document_.clauses;
    while (next_ < clauses.size() && clauses[next_].text.begin <= byte) {
      open_.push_back(static_cast<std::int32_t>(next_++));
    }
    while (!open_.empty() && clauses[static_cast<std::size_t>(open_.back())].text.end <= byte) {
      open_.pop_back();
    }
    return open_.empty() ? -1 : open_.back();
  }
  // The next place after byte where a clause begins or ends, at most limit.
  std::int64_t next_border(std::int64_t byte, std::int64_t limit) const {
    const auto& clauses = document_.clauses;
    if (next_ < clauses.size()) limit = std::min(limit, clauses[next_].text.begin);
    if (!open_.empty()) {
      limit = std::min(limit, clauses[static_cast<std::size_t>(open_.back())].text.end);
    }
    return std::max(limit, byte + 1);
  }

 private:
  const Document& document_;
  std::size_t next_ = 0;
  std::vector<std::int32_t> open_;
};

class PieceCollector {
 public:
  explicit PieceCollector(const Document& document) : document_(document), cursor_(document) {}

  std::vector<Piece> collect() {
    for (const Line& line : document_.lines) {
      if (line.kind == LineKind::contents) is_barrier_ = true;
      if (retrieval::is_covered(line.kind)) add_line(line);
    }
    return std::move(pieces_);
  }

 private:
  void add_line(const Line& line) {
    bool starts_paragraph = line.starts_paragraph;
    for (std::int64_t at = line.text.begin; at < line.text.end;) {
      const std::int32_t clause = cursor_.innermost_at(at);
      const std::int64_t end = cursor_.next_border(at, line.text.end);
      if (add(at, end, clause, starts_paragraph)) starts_paragraph = false;
      at = end;
    }
  }

  bool add(std::int64_t begin, std::int64_t end, std::int32_t clause, bool starts_paragraph) {
    const std::string& text = document_.text;
    while (begin < end && is_blank(text[static_cast<std::size_t>(begin)])) ++begin;
    while (end > begin && is_blank(text[static_cast<std::size_t>(end - 1)])) --end;
    if (begin >= end) return false;
    const bool is_new_clause = pieces_.empty() || pieces_.back().clause != clause;
    pieces_.push_back({{begin, end},
                       {characters_at(begin), characters_at(end)},
                       clause,
                       starts_paragraph || is_new_clause,
                       is_barrier_});
    is_barrier_ = false;
    return true;
  }

  // Ascending calls only.
  std::int64_t characters_at(std::int64_t byte) {
    characters_ += text::count_code_points(document_.slice({counted_to_, byte}));
    counted_to_ = byte;
    return characters_;
  }

  const Document& document_;
  ClauseCursor cursor_;
  std::vector<Piece> pieces_;
  bool is_barrier_ = false;
  std::int64_t counted_to_ = 0;
  std::int64_t characters_ = 0;
};

// For each clause itself, or its ancestor at the deepest depth that counts.
std::vector<std::int32_t> lift_deep_clauses(const Document& document) {
  const std::size_t count = document.clauses.size();
  std::vector<std::int32_t> lifted(count);
  std::vector<int> depths(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t parent = document.clauses[i].parent;
    lifted[i] = static_cast<std::int32_t>(i);
    if (parent < 0 || parent >= static_cast<std::int32_t>(i)) continue;
    depths[i] = depths[static_cast<std::size_t>(parent)] + 1;
    if (depths[i] > kDeepest) lifted[i] = lifted[static_cast<std::size_t>(parent)];
  }
  return lifted;
}

class Packer {
 public:
  Packer(const Document& document, std::vector<Piece> pieces, std::int64_t max_characters)
      : document_(document), pieces_(std::move(pieces)), max_characters_(max_characters) {
    const std::vector<std::int32_t> lifted = lift_deep_clauses(document);
    for (Piece& piece : pieces_) {
      if (piece.clause >= 0) piece.clause = lifted[static_cast<std::size_t>(piece.clause)];
    }
  }

  std::vector<Passage> pack() {
    std::vector<Passage> passages;
    for (const Block& block : blocks_below(-1, 0, pieces_.size())) {
      passages.push_back({block.text, block.clause});
    }
    return passages;
  }

 private:
  // Blocks of pieces [begin, end), all of which lie in clause (-1: the document).
  std::vector<Block> blocks_below(std::int32_t clause, std::size_t begin, std::size_t end) const {
    std::vector<Block> blocks;
    for (std::size_t at = begin; at < end;) {
      const std::int32_t child = child_of(clause, pieces_[at].clause);
      std::size_t stop = at + 1;
      while (stop < end && !pieces_[stop].is_barrier &&
             child_of(clause, pieces_[stop].clause) == child) {
        ++stop;
      }
      std::vector<Block> more = child == clause ? cut_run(clause, at, stop, at == begin)
                                                : blocks_of_child(child, at, stop);
      for (Block& block : more) join_or_append(blocks, block, clause);
      at = stop;
    }
    return blocks;
  }

  std::vector<Block> blocks_of_child(std::int32_t child, std::size_t begin, std::size_t end) const {
    const Block whole = block_of(child, begin, end);
    if (is_one_unit(child) && whole.characters.length() <= max_characters_) return {whole};
    std::vector<Block> blocks = blocks_below(child, begin, end);
    if (blocks.size() > 1) {
      for (Block& block : blocks) block.is_closed = true;
    }
    return blocks;
  }

  // Own text of a clause: one block, or several cut at sentence ends.
  std::vector<Block> cut_run(std::int32_t clause, std::size_t begin, std::size_t end,
                             bool is_lead) const {
    Block whole = block_of(clause, begin, end);
    whole.is_lead = is_lead;
    if (whole.characters.length() <= max_characters_) return {whole};
    std::vector<std::int64_t> paragraphs;
    for (std::size_t i = begin; i < end; ++i) {
      if (pieces_[i].starts_paragraph) {
        paragraphs.push_back(pieces_[i].text.begin - whole.text.begin);
      }
    }
    std::vector<Block> blocks;
    std::int64_t counted_to = whole.text.begin;
    std::int64_t characters = whole.characters.begin;
    const auto count_to = [&](std::int64_t byte) {
      characters += text::count_code_points(document_.slice({counted_to, byte}));
      counted_to = byte;
      return characters;
    };
    for (const Span cut :
         retrieval::cut_text(document_.slice(whole.text), paragraphs, max_characters_)) {
      Block block = whole;
      block.text = {whole.text.begin + cut.begin, whole.text.begin + cut.end};
      block.characters.begin = count_to(block.text.begin);
      block.characters.end = count_to(block.text.end);
      block.is_barrier = whole.is_barrier && blocks.empty();
      blocks.push_back(block);
    }
    return blocks;
  }

  void join_or_append(std::vector<Block>& blocks, const Block& block, std::int32_t parent) const {
    if (!blocks.empty() && may_join(blocks.back(), block, parent)) {
      Block& last = blocks.back();
      last.text.end = block.text.end;
      last.characters.end = block.characters.end;
      if (last.clause != block.clause) last.clause = parent;
      last.is_closed = last.is_closed || block.is_closed;
      last.is_lead = false;
    } else {
      blocks.push_back(block);
    }
  }

  bool may_join(const Block& left, const Block& right, std::int32_t parent) const {
    if (right.is_barrier) return false;
    if (right.characters.end - left.characters.begin > max_characters_) return false;
    if (left.is_lead) return parent != -1;
    if (left.is_closed || right.is_closed) return false;
    return is_one_unit(parent);
  }

  // Whether the clauses below this one may share a passage.
  bool is_one_unit(std::int32_t clause) const {
    if (clause < 0) return false;
    const ClauseKind kind = document_.clauses[static_cast<std::size_t>(clause)].kind;
    return kind != ClauseKind::part && kind != ClauseKind::schedule;
  }

  Block block_of(std::int32_t clause, std::size_t begin, std::size_t end) const {
    const Piece& first = pieces_[begin];
    const Piece& last = pieces_[end - 1];
    Block block;
    block.text = {first.text.begin, last.text.end};
    block.characters = {first.characters.begin, last.characters.end};
    block.clause = clause;
    block.is_barrier = first.is_barrier;
    return block;
  }

  // The child of ancestor on the way down to descendant; ancestor itself where there is none.
  std::int32_t child_of(std::int32_t ancestor, std::int32_t descendant) const {
    std::int32_t below = ancestor;
    for (std::int32_t at = descendant; at != ancestor && at >= 0;) {
      below = at;
      const std::int32_t parent = document_.clauses[static_cast<std::size_t>(at)].parent;
      at = parent < at ? parent : -1;
    }
    return below;
  }

  const Document& document_;
  std::vector<Piece> pieces_;
  const std::int64_t max_characters_;
};

}  // namespace

std::vector<Passage> split_passages(const Document& document, std::int64_t max_characters) {
  std::vector<Piece> pieces = PieceCollector(document).collect();
  return Packer(document, std::move(pieces), std::max<std::int64_t>(1, max_characters)).pack();
}

}  // namespace whereof
