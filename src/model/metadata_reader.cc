#include "model/metadata_reader.h"

#include <cmath>

namespace whereof::model {

std::int64_t MetadataReader::size(std::string_view name, std::int64_t most) const {
  const auto value = file_.integer(key(name));
  if (!value) missing(name);
  return checked(name, *value, 1, most);
}

std::int64_t MetadataReader::size_or(std::string_view name, std::int64_t otherwise,
                                     std::int64_t most) const {
  return checked(name, file_.integer(key(name)).value_or(otherwise), 1, most);
}

std::int64_t MetadataReader::size_or_zero(std::string_view name, std::int64_t most) const {
  return checked(name, file_.integer(key(name)).value_or(0), 0, most);
}

double MetadataReader::positive_real(std::string_view name) const {
  const auto value = file_.real(key(name));
  if (!value) missing(name);
  if (!std::isfinite(*value) || *value <= 0) {
    fail(ErrorKind::bad_model, name, "is " + std::to_string(*value) + ", wanted above 0");
  }
  return *value;
}

double MetadataReader::positive_real_or(std::string_view name, double otherwise) const {
  return file_.real(key(name)) ? positive_real(name) : otherwise;
}

double MetadataReader::positive_real_or_zero(std::string_view name, double otherwise) const {
  return file_.real(key(name)) == 0.0 ? 0.0 : positive_real_or(name, otherwise);
}

void MetadataReader::fail(ErrorKind kind, std::string_view name, const std::string& what) const {
  throw Error(kind, file_.path().string() + ": " + key(name) + " " + what);
}

void MetadataReader::missing(std::string_view name) const {
  throw Error(ErrorKind::bad_model, file_.path().string() + ": key " + key(name) + " is missing");
}

std::int64_t MetadataReader::checked(std::string_view name, std::int64_t value, std::int64_t least,
                                     std::int64_t most) const {
  if (value < least || value > most) {
    fail(ErrorKind::bad_model, name,
         "is " + std::to_string(value) + ", wanted " + std::to_string(least) + " to " +
             std::to_string(most));
  }
  return value;
}

}  // namespace whereof::model
