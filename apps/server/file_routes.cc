// /v1/files: upload, list, look at, delete, and the progress of reading.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "file_store.h"
#include "http_error.h"
#include "multipart.h"
#include "service.h"
#include "whereof/error.h"

namespace whereof::server {
namespace {

constexpr std::int64_t kFileBytes = std::int64_t{64} << 20;
constexpr std::size_t kPurposeBytes = 64;

// The bytes of an upload: mapped where they are on the disk already, else those of the body.
class MappedUpload {
 public:
  explicit MappedUpload(const Request& request)
      : view_(request.body), bytes_(static_cast<std::size_t>(request.upload_bytes)) {
    if (!request.upload) return;
    mapping_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, request.upload.get(), 0);
    if (mapping_ == MAP_FAILED) {
      mapping_ = nullptr;
      throw Error(ErrorKind::input_output,
                  std::string("cannot map an upload: ") + std::strerror(errno));
    }
    view_ = {static_cast<const char*>(mapping_), bytes_};
  }
  ~MappedUpload() {
    if (mapping_ != nullptr) munmap(mapping_, bytes_);
  }
  MappedUpload(const MappedUpload&) = delete;
  MappedUpload& operator=(const MappedUpload&) = delete;
  std::string_view view() const { return view_; }

 private:
  std::string_view view_;
  void* mapping_ = nullptr;
  std::size_t bytes_;
};

bool is_purpose(std::string_view text) {
  return !text.empty() && text.size() <= kPurposeBytes &&
         std::all_of(text.begin(), text.end(), [](char byte) {
           return (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '-';
         });
}

void upload(const ExchangePtr& exchange, FileStore& files) {
  const Request& request = exchange->request();
  const MappedUpload mapped(request);
  const std::string_view type = request.header("content-type").value_or("");
  const FormPart* file = nullptr;
  std::string purpose = "user_data";
  const std::vector<FormPart> parts = form_parts(type, mapped.view());
  for (const FormPart& part : parts) {
    if (part.name == "file" && file != nullptr) {
      throw HttpError(400, "bad_form", "the form has two parts named file", "file");
    }
    if (part.name == "file") file = &part;
    if (part.name == "purpose") purpose = part.content;
  }
  if (file == nullptr || !file->file_name) {
    throw HttpError(400, "bad_form", "the form has no part named file with a filename", "file");
  }
  if (file->content.empty()) throw HttpError(400, "empty_file", "the file is empty", "file");
  if (static_cast<std::int64_t>(file->content.size()) > kFileBytes) {
    throw HttpError(413, "too_large",
                    fmt::format("the file has {} bytes, over the limit of {}", file->content.size(),
                                kFileBytes),
                    "file");
  }
  if (!is_purpose(purpose)) {
    throw HttpError(400, "invalid_value",
                    "purpose is not a word of small letters, such as user_data", "purpose");
  }
  const StoredFile stored =
      files.add(file->content, safe_file_name(*file->file_name), std::move(purpose));
  exchange->send_json(file_json(stored));
}

// The list as OpenAI's clients page through it: ?limit=20&after=file-...&order=asc&purpose=...
std::int64_t limit_of(const Request& request) {
  const auto asked = request.query.find("limit");
  if (asked == request.query.end()) return 10'000;
  const std::string& text = asked->second;
  const bool is_number = !text.empty() && text.size() <= 5 &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t limit = is_number ? std::stoll(text) : 0;
  if (limit >= 1 && limit <= 10'000) return limit;
  throw HttpError(400, "invalid_value", "limit is not a whole number from 1 to 10000", "limit");
}

void list(const ExchangePtr& exchange, FileStore& files) {
  const Request& request = exchange->request();
  const auto query = [&](const char* name) {
    const auto found = request.query.find(name);
    return found == request.query.end() ? std::string() : found->second;
  };
  const std::int64_t limit = limit_of(request);
  std::vector<StoredFile> all = files.list();
  const std::string order = query("order"), purpose = query("purpose"), after = query("after");
  if (order == "asc") {
    std::reverse(all.begin(), all.end());
  } else if (!order.empty() && order != "desc") {
    throw HttpError(400, "invalid_value", "order is neither asc nor desc", "order");
  }
  if (!purpose.empty()) {
    std::erase_if(all, [&](const StoredFile& file) { return file.purpose != purpose; });
  }
  if (!after.empty()) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const StoredFile& file) {
      return id_of(file.content_hash) == after;
    });
    if (found == all.end()) {
      throw HttpError(400, "invalid_value", "after names no file of the list", "after");
    }
    all.erase(all.begin(), found + 1);
  }
  const bool has_more = static_cast<std::int64_t>(all.size()) > limit;
  if (has_more) all.resize(static_cast<std::size_t>(limit));
  Json data = Json::array();
  for (const StoredFile& file : all) data.push_back(file_json(file));
  Json json = {{"object", "list"}, {"data", data}, {"has_more", has_more}};
  if (!data.empty()) {
    json["first_id"] = data.front()["id"];
    json["last_id"] = data.back()["id"];
  }
  exchange->send_json(json);
}

}  // namespace

void add_file_routes(Router& router, Service& service) {
  FileStore& files = service.files();
  router.add("POST", "/v1/files",
             [&files](const ExchangePtr& exchange) { upload(exchange, files); },
             {.body_bytes = kUploadBytes, .is_upload = true});
  router.add("GET", "/v1/files", [&files](const ExchangePtr& exchange) { list(exchange, files); });
  router.add("GET", "/v1/files/{id}", [&files](const ExchangePtr& exchange) {
    exchange->send_json(file_json(files.find(exchange->request().capture("id"))));
  });
  router.add("DELETE", "/v1/files/{id}", [&files](const ExchangePtr& exchange) {
    const std::string& id = exchange->request().capture("id");
    files.remove(id);
    exchange->send_json({{"id", id}, {"object", "file"}, {"deleted", true}});
  });
  router.add("GET", "/v1/files/{id}/events", [&files](const ExchangePtr& exchange) {
    files.watch(exchange->request().capture("id"), exchange);
  });
}

}  // namespace whereof::server
