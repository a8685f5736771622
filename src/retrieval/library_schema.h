// Tables of the library, and what makes a file one.
#ifndef WHEREOF_RETRIEVAL_LIBRARY_SCHEMA_H_
#define WHEREOF_RETRIEVAL_LIBRARY_SCHEMA_H_

#include "retrieval/database.h"

namespace whereof::retrieval {

// Makes an empty file a library, or checks that the file is one of this version. Several processes
// may do so at once. Throws Error: corrupt_library for another program's file, unsupported for
// another version of the schema.
void prepare_schema(Database& database);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_LIBRARY_SCHEMA_H_
