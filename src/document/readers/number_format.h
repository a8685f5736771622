// Numbers in the formats that Word counts in (ECMA-376 part 1, 17.18.59, ST_NumberFormat).
#ifndef WHEREOF_DOCUMENT_READERS_NUMBER_FORMAT_H_
#define WHEREOF_DOCUMENT_READERS_NUMBER_FORMAT_H_

#include <string>
#include <string_view>

namespace whereof::document {

// UTF-8. An unknown format counts in decimal; "none" and "bullet" give nothing.
std::string format_number(int value, std::string_view format);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_NUMBER_FORMAT_H_
