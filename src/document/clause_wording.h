// Small questions about the words around a number: does a sentence end here, is this the first word
// of a heading or the rest of a reference.
#ifndef WHEREOF_DOCUMENT_CLAUSE_WORDING_H_
#define WHEREOF_DOCUMENT_CLAUSE_WORDING_H_

#include <cstddef>
#include <string_view>

namespace whereof::document {

bool is_space_at(std::string_view text, std::size_t at, std::size_t& bytes) noexcept;
std::string_view trim(std::string_view text) noexcept;  // ASCII, no-break and ideographic spaces

// Spaces, asterisks, underscores, number signs and quote marks of Markdown at the start, in bytes.
std::size_t markdown_marks(std::string_view text) noexcept;

std::string_view first_word(std::string_view text) noexcept;  // of ASCII letters
std::string_view last_word(std::string_view text) noexcept;

bool begins_lower(std::string_view text) noexcept;
// An ASCII capital, a quotation mark, a bracket, a letter outside ASCII: what a heading or a
// sentence may begin with.
bool begins_sentence(std::string_view text) noexcept;
bool begins_han(std::string_view text) noexcept;

bool ends_sentence(std::string_view text) noexcept;  // . ? ! 。 also inside quotes or brackets
bool ends_clause(std::string_view text) noexcept;    // ; : ； ：, also before "and" or "or"

// "under Section", "Clauses": a number behind such a word belongs to a reference.
bool leads_to_reference(std::string_view text) noexcept;
// "in accordance with", "of": a sentence cannot end here.
bool leads_on(std::string_view text) noexcept;

// The last, or first, bytes of a text: enough for every question here, so that each costs the same
// on a line of a million bytes.
std::string_view tail(std::string_view text) noexcept;
std::string_view head(std::string_view text) noexcept;

// The text behind the number shows that it heads nothing: "3.2 above", "(a) and (b)"; "Section 3.2
// shall apply"; "1.5 million", "31 December".
bool continues_reference(std::string_view text) noexcept;
bool continues_as_subject(std::string_view text) noexcept;
bool continues_quantity(std::string_view text) noexcept;
// 第三条的规定, 第三条所述: the same without a space between.
bool continues_han_reference(std::string_view text) noexcept;
bool continues_han_list_reference(std::string_view text) noexcept;  // （一）项

// Begins with a word of three or more capitals, or two words in capitals.
bool begins_with_capitals(std::string_view text) noexcept;
bool ends_with_capitals(std::string_view text) noexcept;

// A line that could be a heading by itself: short, begins a sentence, ends in none of ".,;".
bool looks_like_heading(std::string_view text) noexcept;

// The first row of a table whose rows are numbered: "No. Name Amount", 序号 名称.
bool heads_numbered_table(std::string_view text) noexcept;

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_WORDING_H_
