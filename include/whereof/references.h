// Definitions and cross-references: which words a document gives a meaning of its own and where
// they are used, and which of its clauses name which.
//
// Pure functions of Document::text, lines and clauses (find_clauses first); nothing is kept in the
// document. Any thread. Time and memory are linear in the text. Spans are bytes of Document::text,
// clauses are indices into Document::clauses, -1 for text that no clause holds. Headers, footers,
// page numbers and contents lines are left out.
#ifndef WHEREOF_REFERENCES_H_
#define WHEREOF_REFERENCES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/document.h"
#include "whereof/span.h"

namespace whereof {

// A term at a place: as defined, in the plural, in the possessive, or all in capitals.
struct TermUse {
  Span text;
  std::int32_t clause = -1;
};

// One a term. A term that is defined in several places is told by the first that says what it
// means; one that says only where that stands ("has the meaning given in Section 3") comes second.
struct Definition {
  std::string term;          // on one line, without quotation marks: "Purchase Price", 标的股权
  Span term_text;            // where it is defined, without the marks
  Span text;                 // the sentence, or the sentences of a definition list, that define it
  std::int32_t clause = -1;  // innermost that holds term_text
  std::vector<Span> more;    // other places that define it, or point to where it is defined
  std::vector<TermUse> uses;  // ascending, disjoint; places that define it are not among them
};

// Ordered by term_text. "X" means; (the "X"); (collectively, the "Xs"); hereinafter called "X"; X
// means, at the head of a paragraph; rows and entries of a clause headed Definitions;
// 以下简称“X”, 本协议所称X是指, “X”：指.
std::vector<Definition> find_definitions(const Document& document);

// Words in capitals that read like a defined term, "the Escrow Account", and are used at least
// twice without a definition. English only; names may be among them.
struct UndefinedTerm {
  std::string term;
  std::vector<TermUse> uses;
};

// Ordered by first use. definitions: what find_definitions gave for this document.
std::vector<UndefinedTerm> find_undefined_terms(const Document& document,
                                                const std::vector<Definition>& definitions);

enum class ReferenceKind : std::uint8_t {
  resolved,    // every number in it names a clause
  external,    // of another document or a statute: Section 13(d) of the Exchange Act,
               // 《公司法》第三条
  unattached,  // a schedule or exhibit that the file does not hold
  dangling,    // a number in it names no clause
};

// One mention: "Section 3.2(a)", "Sections 3.1 to 3.4", "clauses (a) and (b) above",
// 第三条至第五条, "this Section", 前款, 附件一. The number at the head of a clause is none.
struct Reference {
  Span text;
  std::int32_t clause = -1;  // innermost that holds it
  ReferenceKind kind = ReferenceKind::dangling;
  bool is_relative = false;  // found from where it stands: "this Section", "clause (b)", 前款
  // The clauses it names, in its order, each once; a range names all between its ends. Where the
  // tree does not hold the item itself (3.2(a) in running text), the clause whose text holds it.
  // Ranges of a document name no more clauses than its text has bytes; past that, their ends.
  std::vector<std::int32_t> targets;
  std::vector<Span> missing;   // the numbers in it that name no clause here
  std::int32_t document = -1;  // what targets index: others[document].clauses; -1: this document
};

// Ordered by text, disjoint.
std::vector<Reference> find_references(const Document& document);

// The same; what lies in one of the other documents (not null, with their clauses) is looked up
// there: what an amendment says of the agreement that it amends, and references of which the text
// says that they are of a document with the title of one of the others, or of a name that it
// defines in a sentence with that title. Linear in all texts.
std::vector<Reference> find_references(const Document& document,
                                       const std::vector<const Document*>& others);

// What a text about the document names of it, such as an answer: text and missing are bytes of that
// text. "Section 1542" of no document is dangling here, however large the number.
std::vector<Reference> find_references_to(const Document& document, std::string_view text);

}  // namespace whereof

#endif  // WHEREOF_REFERENCES_H_
