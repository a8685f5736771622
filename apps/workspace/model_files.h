// Which model file a name means.
#ifndef WHEREOF_WORKSPACE_MODEL_FILES_H_
#define WHEREOF_WORKSPACE_MODEL_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "whereof/calibration.h"
#include "whereof/model.h"

namespace whereof::workspace {

constexpr const char* kDefaultModel = "qwen2.5-coder-1.5b-instruct-q4_k_m";

// A path (with a slash or ending in .gguf), or the name of a model in the models folder, with or
// without .gguf; the begin of a name will do where only one begins so. Throws Error(no_model) that
// says what is there and how to fetch one.
std::filesystem::path model_file(const std::string& name_or_path);

// $WHEREOF_MODELS, else the cache folder's models/.
std::filesystem::path models_folder();

// Where the user's own calibrations lie: the cache folder's calibration/; empty when there is none.
std::filesystem::path own_calibrations();

// Calibration::of_model, the user's own first.
Calibration calibration_of(const Model& model);

}  // namespace whereof::workspace

#endif  // WHEREOF_WORKSPACE_MODEL_FILES_H_
