// The alarms of one question's run, gathered.
#ifndef WHEREOF_ANSWERING_ALARMS_H_
#define WHEREOF_ANSWERING_ALARMS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "whereof/alarm.h"
#include "whereof/answer.h"
#include "whereof/document.h"
#include "whereof/instructions.h"

namespace whereof::answering {

// Adds to the answer's alarms those of Answer::layers and of the positions that were read.
void raise_alarms_of_run(const ModelDescription& model, const Calibration& calibration,
                         std::int64_t positions, Answer& answer);

// Of what was read and how the file stands now. instructions: find_instructions(document); name:
// the document's, where there are several.
std::vector<Alarm> alarms_of_document(const Document& document,
                                      const std::vector<FoundInstruction>& instructions,
                                      std::string_view name = {});

// Of a document of the library whose file has other bytes now.
Alarm alarm_of_changed_file(std::string_view name);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_ALARMS_H_
