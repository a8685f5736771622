// Records, one after the other: a line of JSON that says what follows, then as many little-endian
// 32-bit floats as its shape has, then a line end: the content-free masses first, then those of the
// questions, then those of as many answers where there are any. A record that a
// killed process left unfinished is cut away.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMostCells = std::int64_t{1} << 31;

struct Header {
  std::string key;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t passages = 0;
  std::int64_t questions = 0;
  std::int64_t answers = 0;

  std::int64_t cells() const { return layers * heads * passages; }
  std::int64_t bytes() const {
    return cells() * (1 + questions + answers) * static_cast<std::int64_t>(sizeof(float)) + 1;
  }
};

bool is_count(std::int64_t value) { return value >= 0 && value <= (1 << 20); }

std::optional<Header> header_of(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Header header;
  try {
    header.key = json.at("key").get<std::string>();
    header.layers = json.at("layers").get<std::int64_t>();
    header.heads = json.at("heads").get<std::int64_t>();
    header.passages = json.at("passages").get<std::int64_t>();
    header.questions = json.at("questions").get<std::int64_t>();
    header.answers = json.value("answers", std::int64_t{0});
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  if (header.layers < 0 || header.layers > 1024 || header.heads < 0 || header.heads > 1024 ||
      !is_count(header.passages) || !is_count(header.questions) || !is_count(header.answers)) {
    return std::nullopt;
  }
  if (header.cells() > kMostCells / (1 + header.questions + header.answers)) {
    return std::nullopt;
  }
  return header;
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw Error(ErrorKind::input_output, file.string() + ": " + what);
}

}  // namespace

MassFile::MassFile(std::filesystem::path file) : file_(std::move(file)) {
  if (file_.empty() || !std::filesystem::exists(file_)) return;
  std::ifstream stream(file_, std::ios::binary);
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file_));
  for (std::string line; std::getline(stream, line);) {
    const auto header = header_of(line);
    const std::int64_t begin = whole_bytes_ + std::ssize(line) + 1;
    if (!header || header->bytes() > size - begin) break;
    places_[header->key] = whole_bytes_;
    whole_bytes_ = begin + header->bytes();
    stream.seekg(whole_bytes_);
  }
  if (whole_bytes_ == 0 && size > 0) fail(file_, "is no file of passage masses");
}

std::vector<std::string> MassFile::keys() const {
  std::vector<std::pair<std::int64_t, std::string>> placed;
  for (const auto& [key, place] : places_) placed.emplace_back(place, key);
  std::sort(placed.begin(), placed.end());
  std::vector<std::string> keys;
  for (auto& [place, key] : placed) keys.push_back(std::move(key));
  return keys;
}

std::string MassFile::header_line(std::ifstream& stream, std::int64_t place) const {
  stream.seekg(place);
  std::string line;
  std::getline(stream, line);
  if (!stream) fail(file_, "was changed while it was used");
  return line;
}

std::optional<std::string> MassFile::details(const std::string& key) const {
  const auto place = places_.find(key);
  if (place == places_.end()) return std::nullopt;
  std::ifstream stream(file_, std::ios::binary);
  const auto json = nlohmann::json::parse(header_line(stream, place->second), nullptr, false);
  if (!json.is_object() || !json.contains("details")) fail(file_, "was changed while it was used");
  return json["details"].dump();
}

std::optional<PassageMasses> MassFile::find(const std::string& key) const {
  const auto place = places_.find(key);
  if (place == places_.end()) return std::nullopt;
  std::ifstream stream(file_, std::ios::binary);
  const auto header = header_of(header_line(stream, place->second));
  if (!header || header->key != key) fail(file_, "was changed while it was used");
  PassageMasses masses;
  masses.layers = header->layers;
  masses.heads = header->heads;
  masses.passages = header->passages;
  const auto read = [&](std::vector<float>& table) {
    table.resize(static_cast<std::size_t>(header->cells()));
    stream.read(reinterpret_cast<char*>(table.data()),
                static_cast<std::streamsize>(table.size() * sizeof(float)));
  };
  read(masses.content_free);
  masses.questions.resize(static_cast<std::size_t>(header->questions));
  for (std::vector<float>& table : masses.questions) read(table);
  masses.answers.resize(static_cast<std::size_t>(header->answers));
  for (std::vector<float>& table : masses.answers) read(table);
  if (!stream) fail(file_, "was changed while it was used");
  return masses;
}

void MassFile::cut_away_unfinished() const {
  std::error_code error;
  const auto size = std::filesystem::file_size(file_, error);
  if (error || static_cast<std::int64_t>(size) <= whole_bytes_) return;
  std::filesystem::resize_file(file_, static_cast<std::uintmax_t>(whole_bytes_), error);
  if (error) fail(file_, error.message());
}

void MassFile::add(const std::string& key, const PassageMasses& masses,
                   const std::string& details) {
  if (file_.empty()) return;
  const ordered_json header = {{"key", key},
                               {"layers", masses.layers},
                               {"heads", masses.heads},
                               {"passages", masses.passages},
                               {"questions", masses.questions.size()},
                               {"answers", masses.answers.size()},
                               {"details", ordered_json::parse(details)}};
  cut_away_unfinished();
  const std::int64_t begin = whole_bytes_;
  std::ofstream stream(file_, std::ios::binary | std::ios::app);
  stream << header.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  const auto write = [&](const std::vector<float>& table) {
    stream.write(reinterpret_cast<const char*>(table.data()),
                 static_cast<std::streamsize>(table.size() * sizeof(float)));
  };
  write(masses.content_free);
  for (const std::vector<float>& table : masses.questions) write(table);
  for (const std::vector<float>& table : masses.answers) write(table);
  stream << '\n';
  stream.close();
  if (!stream) fail(file_, std::string("cannot be written: ") + std::strerror(errno));
  whole_bytes_ = static_cast<std::int64_t>(std::filesystem::file_size(file_));
  places_[key] = begin;
}

}  // namespace whereof
