#include "workspace/model_files.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "whereof/error.h"
#include "workspace/user_folders.h"

namespace whereof::workspace {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    if (entry.path().extension() == ".gguf") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

fs::path models_folder() {
  const char* asked = std::getenv("WHEREOF_MODELS");
  if (asked != nullptr && *asked != '\0') return asked;
  const auto cache = cache_folder();
  if (!cache) {
    throw Error(ErrorKind::no_model,
                "neither WHEREOF_MODELS, XDG_CACHE_HOME nor HOME is set, so no model is found by "
                "name; give --model FILE.gguf");
  }
  return *cache / "models";
}

fs::path model_file(const std::string& name_or_path) {
  const bool is_path =
      name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".gguf");
  std::error_code failure;
  if (is_path && fs::exists(name_or_path, failure)) return name_or_path;
  if (name_or_path.find('/') != std::string::npos) {
    throw Error(ErrorKind::no_model, name_or_path + ": no such model file");
  }
  const fs::path folder = models_folder();
  fs::path file = folder / name_or_path;
  if (!name_or_path.ends_with(".gguf")) file += ".gguf";
  if (fs::exists(file, failure)) return file;
  std::string there;
  std::vector<std::string> begun;  // names that begin as the one that is asked for
  for (const std::string& name : names_in(folder)) {
    there += (there.empty() ? "" : ", ") + name;
    if (!name_or_path.empty() && name.starts_with(name_or_path)) begun.push_back(name);
  }
  if (begun.size() == 1) return folder / (begun.front() + ".gguf");
  throw Error(ErrorKind::no_model, "no model " + name_or_path + " in " + folder.string() +
                                       " (there: " + (there.empty() ? "nothing" : there) +
                                       "); fetch the default one with: make model");
}

std::filesystem::path own_calibrations() {
  const auto cache = cache_folder();
  return cache ? *cache / "calibration" : fs::path();
}

Calibration calibration_of(const Model& model) {
  return Calibration::of_model(model.description(), own_calibrations());
}

}  // namespace whereof::workspace
