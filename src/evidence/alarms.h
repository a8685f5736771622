// From measured figures to alarms. Pure.
//
// What is normal differs from layer to layer: in healthy models some put over 0.9 of their weight
// on the first position. So each layer of a calibrated model has a range of its own, taken from
// clean runs (bench/clean_runs.py); without it only what no healthy model does raises an alarm.
#ifndef WHEREOF_EVIDENCE_ALARMS_H_
#define WHEREOF_EVIDENCE_ALARMS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evidence/mass_table.h"
#include "whereof/alarm.h"
#include "whereof/calibration.h"
#include "whereof/document.h"

namespace whereof::evidence {

// [layers]; empty for a table without rows. visible_keys: T.
std::vector<LayerFigures> layer_figures(const MassTable& rows, std::int64_t visible_keys);

// Of what the layers did. The thresholds are the calibration's, by name: entropy_share_least.L,
// entropy_share_most.L and log_sum_exp_most for layer L.
std::vector<Alarm> layer_alarms(std::span<const LayerFigures> layers,
                                const Calibration& calibration);

// Of more positions than the window has.
std::vector<Alarm> window_alarms(std::int64_t positions, std::int64_t window_tokens);

// Of what the reader could not read or kept out. name: of the document, where there are several.
std::vector<Alarm> document_alarms(const ReadingReport& report, std::string_view name);

}  // namespace whereof::evidence

#endif  // WHEREOF_EVIDENCE_ALARMS_H_
