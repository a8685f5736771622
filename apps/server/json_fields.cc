#include "json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "http_error.h"
#include "utf8.h"

namespace whereof::server {
namespace {

constexpr std::size_t kDepth = 64;
constexpr std::size_t kKeys = 10'000;
constexpr std::size_t kShownBytes = 40;

[[noreturn]] void refuse_body(const std::string& message) {
  throw HttpError(400, "invalid_json", message);
}

// Builds the value and looks at its shape on the way: depth, keys, keys that are there twice.
// Linear but for the logarithm of a set: Json's own builder looks through all keys before it adds
// one.
class BodyReader : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }
  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return enter(Json::object()); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(Json::array()); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    if (++keys_ > kKeys) refuse_body(fmt::format("the body has more than {} keys", kKeys));
    if (!open_.back().keys.insert(name).second) {
      refuse_body("the body has a key twice in one object: " + name.substr(0, kShownBytes));
    }
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    refuse_body(fmt::format("the body is no JSON: see byte {}", position));
  }

 private:
  struct Open {
    Json value;
    std::string key;  // in the object around it
    std::set<std::string> keys;
  };
  bool put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.push_back(std::move(value));
    } else {
      auto& object = open_.back().value.get_ref<Json::object_t&>();
      object.emplace_back(std::move(key_), std::move(value));
    }
    return true;
  }
  bool enter(Json value) {
    if (open_.size() >= kDepth) {
      refuse_body(fmt::format("the body is nested deeper than {}", kDepth));
    }
    open_.push_back({std::move(value), std::move(key_), {}});
    return true;
  }
  bool leave() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(closed.key);
    return put(std::move(closed.value));
  }

  Json root_;
  std::vector<Open> open_;
  std::string key_;
  std::size_t keys_ = 0;
};

bool is_json_type(std::string_view type) {
  std::string name(type.substr(0, std::min(type.find(';'), type.size())));
  while (name.ends_with(' ')) name.pop_back();
  std::transform(name.begin(), name.end(), name.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
  });
  return name == "application/json";
}

std::string shown(const Json& value) {
  std::string text = dumped(value);
  if (text.size() <= kShownBytes) return text;
  std::size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

Json parse_body(Request& request) {
  // A form of another site could send JSON as text/plain without asking: only this type will do.
  if (!is_json_type(request.header("content-type").value_or(""))) {
    throw HttpError(415, "no_json", "Content-Type is not application/json");
  }
  if (!is_utf8(request.body)) refuse_body("the body is no UTF-8");
  BodyReader reader;
  Json::sax_parse(request.body, &reader);
  Json body = reader.take();
  if (!body.is_object()) refuse_body("the body is no JSON object");
  request.body = std::string();
  return body;
}

JsonFields::JsonFields(const Json& object, std::string path)
    : object_(object), path_(std::move(path)) {
  if (!object_.is_object()) {
    throw HttpError(400, "invalid_type",
                    fmt::format("{}: {} was given, an object is wanted", path_, shown(object_)),
                    path_);
  }
}

std::string JsonFields::named(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

void JsonFields::refuse(std::string_view name, std::string_view wanted) const {
  const Json* value = any(name);
  const std::string message =
      value == nullptr
          ? fmt::format("{} is missing: {} is wanted", named(name), wanted)
          : fmt::format("{}: {} was given, {} is wanted", named(name), shown(*value), wanted);
  throw HttpError(400, value == nullptr ? "missing_field" : "invalid_value", message, named(name));
}

const Json* JsonFields::any(std::string_view name) const {
  const auto found = object_.find(std::string(name));
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> JsonFields::text(std::string_view name, std::size_t most_bytes) const {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse(name, "text");
  auto text = value->get<std::string>();
  if (text.size() > most_bytes) refuse(name, fmt::format("text of at most {} bytes", most_bytes));
  return text;
}

std::string JsonFields::needed_text(std::string_view name, std::size_t most_bytes) const {
  auto value = text(name, most_bytes);
  if (!value || value->empty()) refuse(name, "text");
  return std::move(*value);
}

std::optional<std::int64_t> JsonFields::integer(std::string_view name, std::int64_t least,
                                                std::int64_t most) const {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  const std::string wanted = fmt::format("a whole number from {} to {}", least, most);
  if (!value->is_number()) refuse(name, wanted);
  std::int64_t number = 0;
  if (value->is_number_float()) {
    const double given = value->get<double>();
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!(std::abs(given) <= kExact) || given != std::floor(given)) refuse(name, wanted);
    number = static_cast<std::int64_t>(given);
  } else {
    if (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX) {
      refuse(name, wanted);
    }
    number = value->get<std::int64_t>();
  }
  if (number < least || number > most) refuse(name, wanted);
  return number;
}

std::optional<double> JsonFields::number(std::string_view name, double least, double most) const {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  const std::string wanted = fmt::format("a number from {} to {}", least, most);
  if (!value->is_number()) refuse(name, wanted);
  const auto number = value->get<double>();
  if (!(number >= least && number <= most)) refuse(name, wanted);
  return number;
}

std::optional<bool> JsonFields::boolean(std::string_view name) const {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) refuse(name, "true or false");
  return value->get<bool>();
}

std::vector<std::string> JsonFields::texts(std::string_view name, std::size_t most,
                                           std::size_t most_bytes) const {
  std::vector<std::string> texts;
  const Json* list = array(name, most);
  if (list == nullptr) return texts;
  for (const Json& one : *list) {
    if (!one.is_string() || one.get_ref<const std::string&>().size() > most_bytes) {
      refuse(name, fmt::format("a list of texts of at most {} bytes each", most_bytes));
    }
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

const Json* JsonFields::array(std::string_view name, std::size_t most) const {
  const Json* value = any(name);
  if (value == nullptr) return nullptr;
  if (!value->is_array() || value->size() > most) {
    refuse(name, fmt::format("a list of at most {}", most));
  }
  return value;
}

const Json* JsonFields::object(std::string_view name) const {
  const Json* value = any(name);
  if (value != nullptr && !value->is_object()) refuse(name, "an object");
  return value;
}

void JsonFields::only(std::initializer_list<std::string_view> names) const {
  for (const auto& [key, value] : object_.items()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    const std::string shown_key = key.substr(0, kShownBytes);
    throw HttpError(400, "unknown_field", "there is no field " + named(shown_key),
                    named(shown_key));
  }
}

}  // namespace whereof::server
