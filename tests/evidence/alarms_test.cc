// Figures to alarms: what each threshold is, and that clean figures raise none.
#include "evidence/alarms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace whereof::evidence {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

LayerFigures layer_of(double entropy_share, double sink_mass, double log_sum_exp = 20) {
  LayerFigures figures;
  figures.entropy_share = entropy_share;
  figures.sink_mass = sink_mass;
  figures.log_sum_exp = log_sum_exp;
  return figures;
}

Calibration calibrated() {
  Calibration calibration;
  calibration.alarms = {{"entropy_share_least.0", 0.25},
                        {"entropy_share_most.0", 0.8},
                        {"entropy_share_least.1", 0.01},
                        {"entropy_share_most.1", 0.52},
                        {"log_sum_exp_most", 80}};
  return calibration;
}

TEST(LayerAlarms, FiguresInTheirRangeRaiseNone) {
  const std::vector<LayerFigures> clean = {layer_of(0.55, 0.15), layer_of(0.03, 0.95)};
  EXPECT_THAT(layer_alarms(clean, calibrated()), IsEmpty());
}

TEST(LayerAlarms, WhatIsNormalForOneLayerIsCollapseForAnother) {
  const std::vector<LayerFigures> layers = {layer_of(0.03, 0.95), layer_of(0.03, 0.95)};
  const std::vector<Alarm> alarms = layer_alarms(layers, calibrated());
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_EQ(alarms[0].kind, AlarmKind::attention_collapse);
  EXPECT_EQ(alarms[0].layer, 0);
  EXPECT_DOUBLE_EQ(alarms[0].figure, 0.03);
  EXPECT_DOUBLE_EQ(alarms[0].threshold, 0.25);
  EXPECT_EQ(alarms[0].text,
            "layer 0: attention collapses: its entropy is 0.03 of ln T, normal is at least 0.25; "
            "0.95 of the weight lies on the first position");
}

TEST(LayerAlarms, Dilution) {
  const std::vector<LayerFigures> layers = {layer_of(0.55, 0.1), layer_of(0.9, 0.001)};
  const std::vector<Alarm> alarms = layer_alarms(layers, calibrated());
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_EQ(alarms[0].kind, AlarmKind::attention_dilution);
  EXPECT_EQ(alarms[0].layer, 1);
}

TEST(LayerAlarms, ScoresThatAreTooLargeOrNoNumbers) {
  const double nan = std::nan("");
  const std::vector<LayerFigures> layers = {layer_of(0.5, 0.1, 81), layer_of(nan, nan, nan)};
  const std::vector<Alarm> alarms = layer_alarms(layers, calibrated());
  ASSERT_EQ(alarms.size(), 2U);
  EXPECT_EQ(alarms[0].kind, AlarmKind::score_overflow);
  EXPECT_EQ(alarms[1].kind, AlarmKind::score_overflow);
  EXPECT_EQ(alarms[1].layer, 1);
}

TEST(LayerAlarms, WithoutACalibrationASinkIsNoAlarm) {
  const std::vector<LayerFigures> sinks = {layer_of(0.01, 0.995), layer_of(0.9, 0)};
  EXPECT_THAT(layer_alarms(sinks, {}), IsEmpty());
  EXPECT_EQ(layer_alarms(std::vector{layer_of(0, 1)}, {}).size(), 1U);
  EXPECT_EQ(layer_alarms(std::vector{layer_of(1, 0)}, {}).size(), 1U);
}

TEST(LayerAlarms, FiguresOfATable) {
  EXPECT_THAT(layer_figures(MassTable(), 10), IsEmpty());
  Evidence evidence;
  evidence.batch = 1;
  evidence.query_heads = 2;
  evidence.groups = 1;
  evidence.key_spans = 2;
  evidence.row_count = {2};
  evidence.log_sum_exp = {6, -10};  // sums over two rows
  evidence.entropy = {1, 3};
  evidence.sink_mass = {0.5F, 1.5F};
  evidence.span_mass = {0.2F, 0.2F, 0.1F, 0.9F};
  MassTable rows;
  rows.add(std::vector{evidence});
  const std::vector<LayerFigures> layers = layer_figures(rows, 8);
  ASSERT_EQ(layers.size(), 1U);
  EXPECT_NEAR(layers[0].entropy_share, 1 / std::log(8), 1e-12);
  EXPECT_NEAR(layers[0].sink_mass, 0.5, 1e-7);
  EXPECT_NEAR(layers[0].log_sum_exp, 5, 1e-12);
  EXPECT_EQ(layers[0].document_head, 1);
  EXPECT_NEAR(layers[0].document_mass, 0.5, 1e-7);
}

TEST(DocumentAlarms, SayHowMuchWasNotRead) {
  ReadingReport report;
  report.pages = 10;
  EXPECT_THAT(document_alarms(report, ""), IsEmpty());
  report.pages_without_text = 2;
  report.hidden_characters = 31;
  const std::vector<Alarm> alarms = document_alarms(report, "a.pdf");
  ASSERT_EQ(alarms.size(), 2U);
  EXPECT_EQ(alarms[0].kind, AlarmKind::partly_read);
  EXPECT_EQ(alarms[0].text, "a.pdf: 2 of 10 pages gave no text, so nothing on them was read");
  EXPECT_EQ(alarms[1].kind, AlarmKind::hidden_text);
  EXPECT_EQ(alarms[1].figure, 31);
}

TEST(WindowAlarms, OnlyBeyondTheWindow) {
  EXPECT_THAT(window_alarms(8192, 8192), IsEmpty());
  const std::vector<Alarm> alarms = window_alarms(8193, 8192);
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_THAT(alarms[0].text, HasSubstr("8193 tokens is longer than the model's window of 8192"));
}

TEST(Alarms, HaveNames) {
  EXPECT_EQ(name_of(AlarmKind::attention_collapse), "attention_collapse");
  EXPECT_EQ(name_of(AlarmKind::instructions_inside), "instructions_inside");
}

}  // namespace
}  // namespace whereof::evidence
