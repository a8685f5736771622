// From the records of mass files to examples with known answers.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "answering/language.h"
#include "whereof/calibration_fit.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& set, const std::string& what) {
  throw Error(ErrorKind::invalid_argument, set + ": " + what);
}

void require_shape(const CalibrationExamples& examples, const std::string& set,
                   const PassageMasses& masses) {
  if (examples.layers == masses.layers && examples.heads == masses.heads) return;
  refuse(set, "a record of " + std::to_string(masses.layers) + " layers of " +
                  std::to_string(masses.heads) + " heads; wanted " +
                  std::to_string(examples.layers) + " of " + std::to_string(examples.heads));
}

void take_outcome(const ordered_json& outcome, CalibrationExample& example) {
  example.is_answerable = outcome.at("answerable").get<bool>();
  example.was_asked = true;
  const ordered_json& signals = outcome.at("signals");
  for (const SignalName& signal : kAnswerSignals) {
    example.signals.*signal.value = signals.value(std::string(signal.name), 0.0);
  }
  // An older program did not keep this one.
  const bool is_statement = answering::is_statement(outcome.value("question", ""));
  example.signals.statement = is_statement ? 1 : 0;
}

CalibrationExample example_of(const ordered_json& details, std::size_t question,
                              std::int64_t passages) {
  CalibrationExample example;
  example.question = question;
  example.gold = details.at("gold").at(question).get<std::vector<std::size_t>>();
  std::sort(example.gold.begin(), example.gold.end());
  example.words = details.at("full_text").at(question).get<std::vector<double>>();
  if (std::ssize(example.words) != passages ||
      (!example.gold.empty() && example.gold.back() >= example.words.size())) {
    throw std::out_of_range("another number of passages than " + std::to_string(passages));
  }
  if (details.contains("outcomes")) {
    take_outcome(details.at("outcomes").at(question), example);
  } else {
    example.is_answerable = true;  // only such questions are ranked without being asked
  }
  return example;
}

}  // namespace

void CalibrationExamples::add(const std::string& set, const MassFile& file) {
  const std::size_t place = sets.size();
  sets.push_back(set);
  for (const std::string& key : file.keys()) {
    const auto masses = std::make_shared<const PassageMasses>(*file.find(key));
    if (layers == 0) {
      layers = masses->layers;
      heads = masses->heads;
    }
    require_shape(*this, set, *masses);
    const ordered_json details = ordered_json::parse(*file.details(key));
    try {
      const std::int64_t half = half_of(details.at("document").get<std::string>());
      for (std::size_t q = 0; q < masses->questions.size(); ++q) {
        CalibrationExample example = example_of(details, q, masses->passages);
        example.set = place;
        example.half = half;
        example.masses = masses;
        all.push_back(std::move(example));
      }
    } catch (const std::exception& error) {
      refuse(set, "record " + key + ": " + error.what());
    }
  }
}

}  // namespace whereof
