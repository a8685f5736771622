// Many files into a library: read in worker processes, several at once.
#ifndef WHEREOF_ADD_FILES_H_
#define WHEREOF_ADD_FILES_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "whereof/document.h"
#include "whereof/error.h"
#include "whereof/progress.h"
#include "whereof/retrieval.h"

namespace whereof {

// The files that these places hold, each once, in order of their paths: of a folder all files below
// it whose names end as documents do (.pdf, .docx, .txt, .md, .html and the like), but for hidden
// ones and for what lies behind links to folders; a file that is named itself whatever its name.
// Absolute paths. Throws Error: not_found (a place that does not exist), input_output (a folder
// that cannot be read).
std::vector<std::filesystem::path> document_files(std::span<const std::filesystem::path> places);

struct AddFilesOptions {
  ReadLimits limits;
  std::filesystem::path worker_program;  // as in ReadDocumentOptions
  std::filesystem::path pdfium_library;  // as in ReadDocumentOptions
  int readers = 0;                       // files read at once; 0: as many as processors, at most 8
  ProgressCallback progress;             // in files
  std::stop_token stop;
};

struct FailedFile {
  std::filesystem::path path;
  ErrorKind kind = ErrorKind::bad_document;
  std::string message;
};

struct AddFilesResult {
  std::int64_t added = 0;          // read, and in the library now
  std::int64_t removed = 0;        // documents whose file has other bytes now
  std::int64_t known = 0;          // there already, or another file of the same bytes was added
  std::vector<FailedFile> failed;  // the others; in the order of the files
};

// Adds each file that the library does not hold yet. A file that cannot be read stops no other.
// What the library held of a file that has other bytes now is removed. Throws Error: what Library
// throws; cancelled. What was added until then stays, and the next call goes on from there: a call
// that was killed needs no repair. At most 2 * readers + 1 documents are in memory.
AddFilesResult add_files(Library& library, std::span<const std::filesystem::path> files,
                         const AddFilesOptions& options);

}  // namespace whereof

#endif  // WHEREOF_ADD_FILES_H_
