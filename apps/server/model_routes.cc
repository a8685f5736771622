// GET /v1/models, GET /v1/models/{id}: the files of the models folder, and the server's own.
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include "http_error.h"
#include "service.h"
#include "whereof/error.h"
#include "workspace/model_files.h"

namespace whereof::server {
namespace {

namespace fs = std::filesystem;

std::int64_t made_at(const fs::path& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 ? status.st_mtime : 0;
}

Json model_json(const std::string& id, const fs::path& file) {
  return {{"id", id}, {"object", "model"}, {"created", made_at(file)}, {"owned_by", "local"}};
}

// By id, which is the file's name without its ending.
std::map<std::string, fs::path> models(const Service& service) {
  std::map<std::string, fs::path> found;
  std::error_code failure;
  try {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(workspace::models_folder(), failure)) {
      if (entry.path().extension() != ".gguf") continue;
      found.emplace(entry.path().stem().string(), entry.path());
    }
  } catch (const Error&) {  // no folder of models: only the server's own model counts
  }
  const std::string& own = service.options().model;
  if (own.ends_with(".gguf") && fs::exists(own, failure)) {
    found.emplace(fs::path(own).stem().string(), own);
  }
  return found;
}

}  // namespace

void add_model_routes(Router& router, Service& service) {
  router.add("GET", "/v1/models", [&service](const ExchangePtr& exchange) {
    Json list = Json::array();
    for (const auto& [id, file] : models(service)) list.push_back(model_json(id, file));
    exchange->send_json({{"object", "list"}, {"data", list}});
  });
  router.add("GET", "/v1/models/{id}", [&service](const ExchangePtr& exchange) {
    const std::string& id = exchange->request().capture("id");
    const auto all = models(service);
    const auto found = all.find(id);
    if (found == all.end()) {
      throw HttpError(404, "model_not_found", fmt::format("there is no model {}", id), "model");
    }
    exchange->send_json(model_json(id, found->second));
  });
}

}  // namespace whereof::server
