// A page with boxes around its clauses, as SVG.
#ifndef WHEREOF_CLI_CLAUSE_PICTURE_H_
#define WHEREOF_CLI_CLAUSE_PICTURE_H_

#include <cstdint>
#include <string>

#include "whereof/document.h"
#include "whereof/page_image.h"

namespace whereof::cli {

// The page's image, and over it what each clause has of its own on it: a colour for each depth,
// the clause's label before the first box. Blocks in two columns are two boxes.
std::string clause_picture(const Document& document, std::int32_t page, const PageImage& image);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_CLAUSE_PICTURE_H_
