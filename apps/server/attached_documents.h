// Documents that came with a request: read, put in a library of their own, and gone with it.
#ifndef WHEREOF_SERVER_ATTACHED_DOCUMENTS_H_
#define WHEREOF_SERVER_ATTACHED_DOCUMENTS_H_

#include <filesystem>
#include <stop_token>
#include <vector>

#include "answer_desk.h"
#include "chat_request.h"

namespace whereof::server {

class AttachedDocuments {
 public:
  // Reads the files in worker processes; also puts the others into the library, which so holds all
  // that the question asks. Throws what read_document and Library throw.
  AttachedDocuments(const std::vector<AttachedFile>& files, const std::vector<DocumentPtr>& others,
                    std::stop_token stop);
  ~AttachedDocuments();
  AttachedDocuments(const AttachedDocuments&) = delete;
  AttachedDocuments& operator=(const AttachedDocuments&) = delete;

  const std::vector<DocumentPtr>& documents() const noexcept { return documents_; }
  std::filesystem::path library() const { return folder_ / "library.db"; }

 private:
  void read(const AttachedFile& file, std::size_t number, Library& library, std::stop_token stop);

  std::filesystem::path folder_;
  std::vector<DocumentPtr> documents_;  // in the order of the files
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_ATTACHED_DOCUMENTS_H_
