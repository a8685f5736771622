// The file of a model's head weights: where it is found, and what its lines say.
#include "whereof/head_weights.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeads = 4096;

class WeightsReader {
 public:
  WeightsReader(const fs::path& file, const ModelDescription& model) : file_(file), model_(model) {
    weights_.source = file.string();
  }

  HeadWeights read() {
    std::ifstream stream(file_);
    if (!stream) {
      const ErrorKind kind = errno == ENOENT ? ErrorKind::not_found : ErrorKind::input_output;
      throw Error(kind, file_.string() + ": " + std::strerror(errno));
    }
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      take(line.substr(0, line.find('#')));
    }
    if (stream.bad()) throw Error(ErrorKind::input_output, file_.string() + ": cannot be read");
    if (weights_.heads.empty()) refuse("names no head");
    return std::move(weights_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::invalid_argument,
                file_.string() + ": line " + std::to_string(line_) + ": " + what);
  }

  template <typename... Values>
  void parse(std::istringstream& words, const char* wanted, Values&... values) const {
    std::string more;
    if (!(words >> ... >> values) || (words >> more)) refuse(std::string("wanted ") + wanted);
  }

  void take(const std::string& line) {
    std::istringstream words(line);
    std::string name;
    if (!(words >> name)) return;
    if (name == "model") return;  // which of_model() looks at
    if (name == "shape") {
      std::int64_t layers = 0;
      std::int64_t heads = 0;
      parse(words, "shape LAYERS HEADS", layers, heads);
      if (layers != model_.layers || heads != model_.query_heads) {
        refuse("for " + std::to_string(layers) + " layers of " + std::to_string(heads) +
               " heads; " + model_.name + " has " + std::to_string(model_.layers) + " of " +
               std::to_string(model_.query_heads));
      }
    } else if (name == "full_text") {
      parse(words, "full_text WEIGHT", weights_.full_text_weight);
      if (!(weights_.full_text_weight >= 0 && weights_.full_text_weight <= 100)) {
        refuse("a full_text weight outside 0 .. 100");
      }
    } else if (name == "head") {
      take_head(words);
    } else {
      refuse("\"" + name + "\"; wanted model, shape, full_text or head");
    }
  }

  void take_head(std::istringstream& words) {
    HeadWeight head;
    parse(words, "head LAYER HEAD WEIGHT", head.layer, head.head, head.weight);
    if (head.layer < 0 || head.layer >= model_.layers || head.head < 0 ||
        head.head >= model_.query_heads) {
      refuse("layer " + std::to_string(head.layer) + " head " + std::to_string(head.head) + "; " +
             model_.name + " has " + std::to_string(model_.layers) + " layers of " +
             std::to_string(model_.query_heads) + " heads");
    }
    if (!(head.weight > 0 && head.weight <= 1e6)) refuse("a weight outside 0 .. 1e6");
    if (weights_.heads.size() == kMostHeads) refuse("more than 4096 heads");
    weights_.heads.push_back(head);
  }

  const fs::path file_;
  const ModelDescription& model_;
  HeadWeights weights_;
  int line_ = 0;
};

// Where an installation and a build tree keep them: share/whereof/heads beside or above the
// running program.
std::vector<fs::path> folders_of_heads() {
  if (const char* named = std::getenv("WHEREOF_HEADS"); named != nullptr && named[0] != '\0') {
    return {named};
  }
  std::vector<fs::path> folders;
  std::error_code error;
  fs::path above = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int level = 0; level < 4 && !above.empty(); ++level) {
    folders.push_back(above / "share" / "whereof" / "heads");
    above = above.parent_path();
  }
  folders.emplace_back(WHEREOF_HEADS_FOLDER);
  return folders;
}

// The name on the file's line "model NAME"; empty when there is none.
std::string model_named_in(const fs::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("model ")) continue;
    line = line.substr(0, line.find('#')).substr(6);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) {
      line.pop_back();
    }
    return line;
  }
  return {};
}

}  // namespace

HeadWeights HeadWeights::load(const fs::path& file, const ModelDescription& model) {
  return WeightsReader(file, model).read();
}

HeadWeights HeadWeights::of_model(const ModelDescription& model) {
  std::error_code error;
  for (const fs::path& folder : folders_of_heads()) {
    const fs::path same_name = folder / (model.path.stem().string() + ".heads");
    if (fs::is_regular_file(same_name, error)) return load(same_name, model);
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".heads") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      if (!model.name.empty() && model_named_in(file) == model.name) return load(file, model);
    }
  }
  HeadWeights alike;
  alike.source = "all heads alike";
  return alike;
}

}  // namespace whereof
