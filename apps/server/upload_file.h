// Files without a name, which hold a body while it comes in and are gone with the process.
#ifndef WHEREOF_SERVER_UPLOAD_FILE_H_
#define WHEREOF_SERVER_UPLOAD_FILE_H_

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "owned_descriptor.h"

namespace whereof::server {

// Makes the folder too. Throws Error: out_of_space, input_output.
OwnedDescriptor make_upload_file(const std::filesystem::path& folder);
// All of bytes, or Error(out_of_space or input_output).
void append_to_upload(const OwnedDescriptor& file, std::string_view bytes);

// A piece on its way to the file, which a thread that may wait for the disk puts there.
struct UploadPiece {
  OwnedDescriptor file;  // none: it is made
  std::string bytes;     // gone when they are stored
  std::exception_ptr failure;

  void store(const std::filesystem::path& folder) noexcept;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_UPLOAD_FILE_H_
