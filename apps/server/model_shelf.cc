#include "model_shelf.h"

#include <system_error>
#include <utility>

#include "http_error.h"
#include "whereof/error.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownBytes = 60;

[[noreturn]] void refuse(std::string_view name) {
  std::string shown(name.substr(0, kShownBytes));
  throw HttpError(404, "model_not_found",
                  "there is no model " + shown + "; GET /v1/models names those that are there",
                  "model");
}

std::string id_of_model(const std::string& name_or_file) {
  const fs::path file(name_or_file);
  return (name_or_file.ends_with(".gguf") ? file.stem() : file.filename()).string();
}

}  // namespace

ModelShelf::ModelShelf(std::string own, int threads)
    : own_(own.empty() ? workspace::kDefaultModel : std::move(own)), threads_(threads) {}

fs::path ModelShelf::file_of(std::string_view name) const {
  const bool is_path = name.find('/') != std::string_view::npos || name.ends_with(".gguf") ||
                       name.find('\0') != std::string_view::npos || name.starts_with('.');
  if (is_path) refuse(name);
  try {
    const bool is_own = name.empty() || name == id_of_model(own_);
    return workspace::model_file(is_own ? own_ : std::string(name));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::no_model) throw;
    refuse(name.empty() ? id_of_model(own_) : name);  // its own words name a path
  }
}

std::shared_ptr<const ServedModel> ModelShelf::open(const fs::path& file) {
  const std::lock_guard lock(opening_);
  std::shared_ptr<const ServedModel>& known = opened_[file];
  if (!known) {
    auto served = std::make_shared<ServedModel>();
    served->id = id_of_model(file.string());
    served->model = Model::open(file);
    served->steps = SharedSteps::create(served->model, {.threads = threads_});
    served->calibration = workspace::calibration_of(*served->model);
    known = std::move(served);
  }
  return known;
}

MachineSpeed ModelShelf::speed_of(const ServedModel& served) {
  const std::lock_guard lock(measuring_);
  return workspace::machine_speed(served.model, threads_, false);
}

void ModelShelf::learn(const ServedModel& served, const MachineSpeed& used, const Answer& answer) {
  const std::lock_guard lock(measuring_);
  workspace::learn_speed(*served.model, threads_, used, answer, true);
}

}  // namespace whereof::server
