#include "answering/alarms.h"

#include <string>
#include <utility>

#include "evidence/alarms.h"
#include "text/utf8.h"
#include "whereof/retrieval.h"

namespace whereof::answering {
namespace {

constexpr std::size_t kQuotedBytes = 120;

std::string shortened(std::string_view text) {
  if (text.size() <= kQuotedBytes) return std::string(text);
  return std::string(text.substr(0, text::floor_boundary(text, kQuotedBytes))) + "...";
}

Alarm alarm_of_instructions(const Document& document, const std::vector<FoundInstruction>& found,
                            std::string_view name) {
  const FoundInstruction& first = found.front();
  std::string text = name.empty() ? std::string() : std::string(name) + ": ";
  text += std::to_string(found.size());
  text += found.size() == 1 ? " sentence gives" : " sentences give";
  text += " orders to whoever answers, the first (" + std::string(name_of(first.kind)) + "): \"" +
          shortened(joined_lines(document.slice(first.text))) + "\"";
  return {.kind = AlarmKind::instructions_inside,
          .layer = -1,
          .figure = static_cast<double>(found.size()),
          .threshold = 0,
          .text = std::move(text)};
}

}  // namespace

void raise_alarms_of_run(const ModelDescription& model, const Calibration& calibration,
                         std::int64_t positions, Answer& answer) {
  for (std::vector<Alarm> alarms : {evidence::layer_alarms(answer.layers, calibration),
                                    evidence::window_alarms(positions, model.window_tokens)}) {
    for (Alarm& alarm : alarms) answer.alarms.push_back(std::move(alarm));
  }
}

std::vector<Alarm> alarms_of_document(const Document& document,
                                      const std::vector<FoundInstruction>& instructions,
                                      std::string_view name) {
  std::vector<Alarm> alarms = evidence::document_alarms(document.report, name);
  if (!instructions.empty()) {
    alarms.push_back(alarm_of_instructions(document, instructions, name));
  }
  LibraryEntry entry;
  entry.content_hash = document.content_hash;
  entry.path = document.path.string();
  if (!entry.path.empty() && file_state(entry) == FileState::changed) {
    alarms.push_back(alarm_of_changed_file(document.name));
  }
  return alarms;
}

Alarm alarm_of_changed_file(std::string_view name) {
  return {.kind = AlarmKind::document_changed,
          .layer = -1,
          .figure = 1,
          .threshold = 0,
          .text = std::string(name) + " has changed since it was read"};
}

}  // namespace whereof::answering
