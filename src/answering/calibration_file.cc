// The file of a model's calibration: where it is found, and what its lines say.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "whereof/calibration.h"
#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeads = 4096;
constexpr std::size_t kMostAlarms = 256;
constexpr std::size_t kMostNotes = 1024;
constexpr double kLargest = 1e6;  // of any weight or threshold

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

class CalibrationReader {
 public:
  CalibrationReader(const fs::path& file, const ModelDescription& model)
      : file_(file), model_(model) {
    result_.source = file.string();
    result_.heads.source = "all heads alike";
  }

  Calibration read() {
    std::ifstream stream(file_);
    if (!stream) {
      const ErrorKind kind = errno == ENOENT ? ErrorKind::not_found : ErrorKind::input_output;
      throw Error(kind, file_.string() + ": " + std::strerror(errno));
    }
    bool is_begin = true;
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      is_begin = is_begin && line.starts_with('#');
      if (is_begin && result_.notes.size() < kMostNotes) {
        result_.notes.push_back(line.substr(line.starts_with("# ") ? 2 : 1));
      }
      take(line.substr(0, line.find('#')));
    }
    if (stream.bad()) throw Error(ErrorKind::input_output, file_.string() + ": cannot be read");
    check_whole();
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::invalid_argument,
                file_.string() + ": line " + std::to_string(line_) + ": " + what);
  }

  template <typename... Values>
  void parse(const char* wanted, Values&... values) {
    std::string more;
    if (!(words_ >> ... >> values) || (words_ >> more)) {
      refuse('"' + words_.str() + "\"; wanted " + wanted);
    }
  }

  void require_within(const std::string& what, double value, double least, double most) const {
    if (value >= least && value <= most) return;
    refuse(what + " " + digits(value) + "; wanted " + digits(least) + " .. " + digits(most));
  }

  void take(const std::string& line) {
    words_ = std::istringstream(line);
    std::string name;
    if (!(words_ >> name)) return;
    if (name == "model") return;  // which of_model() looks at
    if (name == "shape") return take_shape();
    if (name == "head") return take_head();
    if (name == "signal") return take_signal();
    if (name == "alarm") return take_alarm();
    if (name == "full_text") {
      parse("full_text WEIGHT", result_.heads.full_text_weight);
      require_within("full_text weight", result_.heads.full_text_weight, 0, 100);
    } else if (name == "bias") {
      parse("bias VALUE", result_.bias);
      require_within("bias", result_.bias, -kLargest, kLargest);
    } else if (name == "supported_from") {
      parse("supported_from PROBABILITY", result_.supported_from);
      require_within("supported_from", result_.supported_from, 0, 1);
      has_supported_from_ = true;
    } else if (name == "weak_from") {
      parse("weak_from PROBABILITY", result_.weak_from);
      require_within("weak_from", result_.weak_from, 0, 1);
      has_weak_from_ = true;
    } else {
      refuse('"' + name +
             "\"; wanted model, shape, full_text, head, signal, bias, supported_from, weak_from or "
             "alarm");
    }
  }

  void take_shape() {
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    parse("shape LAYERS HEADS", layers, heads);
    if (layers != model_.layers || heads != model_.query_heads) {
      refuse("for " + std::to_string(layers) + " layers of " + std::to_string(heads) + " heads; " +
             model_.name + " has " + std::to_string(model_.layers) + " of " +
             std::to_string(model_.query_heads));
    }
  }

  void take_head() {
    HeadWeight head;
    parse("head LAYER HEAD WEIGHT", head.layer, head.head, head.weight);
    if (head.layer < 0 || head.layer >= model_.layers || head.head < 0 ||
        head.head >= model_.query_heads) {
      refuse("layer " + std::to_string(head.layer) + " head " + std::to_string(head.head) + "; " +
             model_.name + " has " + std::to_string(model_.layers) + " layers of " +
             std::to_string(model_.query_heads) + " heads");
    }
    if (!(head.weight > 0 && head.weight <= kLargest)) {
      refuse("weight " + digits(head.weight) + "; wanted more than 0, at most 1e6");
    }
    if (result_.heads.heads.size() == kMostHeads) refuse("more than 4096 heads");
    result_.heads.heads.push_back(head);
    result_.heads.source = result_.source;
  }

  void take_signal() {
    std::string name;
    std::string scale;
    SignalWeight weight;
    parse("signal NAME SCALE WEIGHT MEAN DEVIATION", name, scale, weight.weight, weight.mean,
          weight.deviation);
    const auto* known = std::find_if(kAnswerSignals.begin(), kAnswerSignals.end(),
                                     [&](const SignalName& each) { return each.name == name; });
    if (known == kAnswerSignals.end()) refuse("signal \"" + name + "\", which nothing measures");
    for (const SignalWeight& other : result_.signals) {
      if (other.signal.name == name) refuse("signal \"" + name + "\" a second time");
    }
    weight.signal = *known;
    const auto scales = {SignalScale::plain, SignalScale::log, SignalScale::logit};
    const auto* found = std::find_if(scales.begin(), scales.end(),
                                     [&](SignalScale each) { return name_of(each) == scale; });
    if (found == scales.end()) refuse("scale \"" + scale + "\"; wanted plain, log or logit");
    weight.scale = *found;
    require_within("weight", weight.weight, -kLargest, kLargest);
    require_within("mean", weight.mean, -kLargest, kLargest);
    require_within("deviation", weight.deviation, 1e-12, kLargest);
    result_.signals.push_back(weight);
  }

  void take_alarm() {
    std::string name;
    double value = 0;
    parse("alarm NAME VALUE", name, value);
    require_within("alarm " + name, value, -kLargest, kLargest);
    if (result_.alarms.size() == kMostAlarms) refuse("more than 256 alarms");
    if (!result_.alarms.emplace(name, value).second) refuse("alarm \"" + name + "\" a second time");
  }

  void check_whole() const {
    if (result_.heads.heads.empty() && result_.signals.empty() && result_.alarms.empty()) {
      refuse("the end, and no head, signal or alarm");
    }
    if (result_.signals.empty()) return;
    if (!has_supported_from_ || !has_weak_from_) {
      refuse("the end, and signals without supported_from and weak_from");
    }
    if (result_.weak_from > result_.supported_from) {
      refuse("the end, and weak_from " + digits(result_.weak_from) + " above supported_from " +
             digits(result_.supported_from));
    }
  }

  const fs::path file_;
  const ModelDescription& model_;
  Calibration result_;
  std::istringstream words_;  // of the line
  int line_ = 0;
  bool has_supported_from_ = false;
  bool has_weak_from_ = false;
};

// share/whereof/calibration beside or above the running program, as in an installation and in a
// build tree.
std::vector<fs::path> folders_to_search(const fs::path& own_folder) {
  const char* named = std::getenv("WHEREOF_CALIBRATION");
  if (named != nullptr && named[0] != '\0') return {named};
  std::vector<fs::path> folders;
  if (!own_folder.empty()) folders.push_back(own_folder);
  std::error_code error;
  fs::path above = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int level = 0; level < 4 && !above.empty(); ++level) {
    folders.push_back(above / "share" / "whereof" / "calibration");
    above = above.parent_path();
  }
  folders.emplace_back(WHEREOF_CALIBRATION_FOLDER);
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

// A name that a line can hold.
std::string on_one_line(std::string text) {
  for (char& character : text) {
    if (character == '#' || static_cast<unsigned char>(character) < ' ') character = ' ';
  }
  return text;
}

std::string text_of(const Calibration& calibration, const ModelDescription& model) {
  std::ostringstream out;
  for (const std::string& note : calibration.notes) {
    out << (note.empty() ? "#" : "# ") << note << '\n';
  }
  out << "model " << on_one_line(model.name) << "\nshape " << model.layers << ' '
      << model.query_heads << '\n';
  if (calibration.heads.is_fitted()) {
    out << "full_text " << digits(calibration.heads.full_text_weight) << '\n';
  }
  for (const HeadWeight& head : calibration.heads.heads) {
    out << "head " << head.layer << ' ' << head.head << ' ' << digits(head.weight) << '\n';
  }
  for (const SignalWeight& part : calibration.signals) {
    out << "signal " << part.signal.name << ' ' << name_of(part.scale) << ' ' << digits(part.weight)
        << ' ' << digits(part.mean) << ' ' << digits(part.deviation) << '\n';
  }
  if (calibration.is_fitted()) {
    out << "bias " << digits(calibration.bias) << "\nsupported_from "
        << digits(calibration.supported_from) << "\nweak_from " << digits(calibration.weak_from)
        << '\n';
  }
  for (const auto& [name, value] : calibration.alarms) {
    out << "alarm " << name << ' ' << digits(value) << '\n';
  }
  return std::move(out).str();
}

}  // namespace

double Calibration::alarm(std::string_view name, double otherwise) const {
  const auto found = alarms.find(name);
  return found == alarms.end() ? otherwise : found->second;
}

Calibration Calibration::load(const fs::path& file, const ModelDescription& model) {
  return CalibrationReader(file, model).read();
}

Calibration Calibration::of_model(const ModelDescription& model, const fs::path& own_folder) {
  constexpr std::string_view kEnding = ".calibration";
  std::error_code error;
  for (const fs::path& folder : folders_to_search(own_folder)) {
    const fs::path same_name = folder / (model.path.stem().string() + std::string(kEnding));
    if (fs::is_regular_file(same_name, error)) return load(same_name, model);
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == kEnding) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      if (!model.name.empty() && model_named_in(file) == model.name) return load(file, model);
    }
  }
  Calibration none;
  none.source = "not calibrated";
  none.heads.source = "all heads alike";
  return none;
}

void Calibration::save(const fs::path& file, const ModelDescription& model) const {
  const fs::path part = file.string() + ".part-" + std::to_string(::getpid());
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (!error) {
    std::ofstream stream(part, std::ios::binary);
    stream << text_of(*this, model);
    stream.close();
    if (!stream) error = std::error_code(errno, std::generic_category());
  }
  if (!error) fs::rename(part, file, error);
  if (!error) return;
  std::error_code ignored;  // the first error is the one to tell
  fs::remove(part, ignored);
  throw Error(ErrorKind::input_output, file.string() + ": cannot be written: " + error.message());
}

}  // namespace whereof
