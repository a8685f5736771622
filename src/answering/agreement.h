// Whether what an answer says stands in the clauses that it cites.
#ifndef WHEREOF_ANSWERING_AGREEMENT_H_
#define WHEREOF_ANSWERING_AGREEMENT_H_

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answering/claims.h"
#include "answering/prompt.h"
#include "whereof/document.h"

namespace whereof::answering {

enum class ClaimPlace : std::uint8_t {
  cited,  // in a cited clause
  read,   // in what was read, but in no cited clause
  nowhere,
};

// The claims of an answer held against the sentences of the document that were read; a lasting view
// of all its arguments. Time linear in what was read for each name or quotation, once for all
// figures.
class Agreement {
 public:
  Agreement(const Document& document, std::span<const ReadSentence> sentences,
            std::span<const Claim> claims);

  // The share of the figures that each sentence bears out, 0 .. 1; [sentences], empty without
  // figures.
  const std::vector<double>& borne_out() const { return borne_out_; }

  // Where each claim stands, [claims]. What was read of the cited clauses (indices, -1 for none)
  // and of the clause right above each, which begins their sentences, counts as cited; for names
  // also what stands before the first clause, where the parties are named.
  std::vector<ClaimPlace> places(const std::set<std::int32_t>& cited) const;

 private:
  std::string words_of(const std::vector<bool>& chosen) const;

  const Document& document_;
  std::span<const ReadSentence> sentences_;
  std::span<const Claim> claims_;
  std::vector<std::vector<std::size_t>> holders_;  // [claims]: sentences that bear a figure out
  std::vector<double> borne_out_;
};

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_AGREEMENT_H_
