#include "attached_documents.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "whereof/error.h"

namespace whereof::server {
namespace {

namespace fs = std::filesystem;

fs::path new_folder() {
  std::string pattern = (fs::temp_directory_path() / "whereof-attached-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(errno == ENOSPC ? ErrorKind::out_of_space : ErrorKind::input_output,
                "cannot make a folder for attached files: " + std::string(std::strerror(errno)));
  }
  return pattern;
}

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) {
    throw Error(errno == ENOSPC ? ErrorKind::out_of_space : ErrorKind::input_output,
                file.string() + ": cannot write an attached file");
  }
}

}  // namespace

AttachedDocuments::AttachedDocuments(const std::vector<AttachedFile>& files,
                                     const std::vector<DocumentPtr>& others, std::stop_token stop)
    : folder_(new_folder()) {
  try {
    const std::unique_ptr<Library> own = Library::open(library());
    for (const DocumentPtr& other : others) own->add(*other);
    for (std::size_t i = 0; i < files.size(); ++i) read(files[i], i, *own, stop);
  } catch (...) {  // the destructor does not run
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

AttachedDocuments::~AttachedDocuments() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void AttachedDocuments::read(const AttachedFile& file, std::size_t number, Library& library,
                             std::stop_token stop) {
  // Two files may have one name.
  const fs::path own = folder_ / std::to_string(number);
  fs::create_directory(own);
  write(own / file.name, file.bytes);
  ReadDocumentOptions options;
  options.stop = std::move(stop);
  Document document = read_document(own / file.name, options);
  library.add(document);
  documents_.push_back(std::make_shared<const Document>(std::move(document)));
}

}  // namespace whereof::server
