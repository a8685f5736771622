// A call that is asked to stop throws Error(cancelled), soon, on any path and any number of
// threads.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <vector>

#include "whereof/attention.h"
#include "whereof/attention_backward.h"
#include "whereof/error.h"
#include "whereof/scoring.h"

namespace whereof {
namespace {

constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kDim = 16;

// Self-attention over `length` tokens, and what backward takes beside.
struct Call {
  explicit Call(std::int64_t rows, std::int64_t keys)
      : query(rows),
        key(keys),
        value(keys),
        output(rows),
        grad_output(rows),
        grad_query(rows),
        grad_key(keys),
        grad_value(keys),
        log_sum_exp(static_cast<std::size_t>(kHeads * rows), 0.0F) {}

  struct Rows {
    explicit Rows(std::int64_t length)
        : data(static_cast<std::size_t>(length * kHeads * kDim), 0.5F),
          view(dense_view(static_cast<void*>(data.data()), ElementType::f32,
                          {1, length, kHeads, kDim})) {}
    std::vector<float> data;
    TensorView view;
  };

  void forward(const AttentionOptions& options) {
    attention_forward(query.view, key.view, value.view, output.view, options, log_sum_exp.data());
  }
  void backward(const AttentionOptions& options) {
    attention_backward(query.view, key.view, value.view, output.view, log_sum_exp.data(),
                       grad_output.view, grad_query.view, grad_key.view, grad_value.view, options);
  }

  Rows query, key, value, output, grad_output, grad_query, grad_key, grad_value;
  std::vector<float> log_sum_exp;
};

template <typename Body>
void expect_cancelled(Body&& body) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
  }
}

AttentionOptions stopped(int threads) {
  std::stop_source source;
  source.request_stop();
  AttentionOptions options;
  options.threads = threads;
  options.stop = source.get_token();
  return options;
}

TEST(Stop, ForwardThatIsStoppedBeforeItBegins) {
  for (const int threads : {1, 2}) {
    Call prefill(600, 600);
    expect_cancelled([&] { prefill.forward(stopped(threads)); });
    Call decode(1, 20000);  // keys in pieces
    expect_cancelled([&] { decode.forward(stopped(threads)); });
  }
}

TEST(Stop, BackwardThatIsStoppedBeforeItBegins) {
  for (const int threads : {1, 2}) {
    Call call(600, 600);
    call.forward({});
    expect_cancelled([&] { call.backward(stopped(threads)); });
  }
}

// Blocks wait for one another here: one that skips its work must not leave the next waiting.
TEST(Stop, BackwardThatIsStoppedOnItsWay) {
  Call call(1500, 1500);
  call.forward({});
  for (int delay_us = 0; delay_us < 3000; delay_us += 300) {
    std::stop_source source;
    AttentionOptions options;
    options.stop = source.get_token();
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
      source.request_stop();
    });
    try {
      call.backward(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
  }
}

TEST(Stop, ATokenThatIsNeverAskedChangesNothing) {
  Call plain(300, 300);
  Call watched(300, 300);
  std::stop_source source;
  AttentionOptions options;
  plain.forward(options);
  options.stop = source.get_token();
  watched.forward(options);
  EXPECT_EQ(plain.output.data, watched.output.data);
}

TEST(Stop, ScoringForms) {
  Call call(300, 300);
  std::vector<float> weight(static_cast<std::size_t>(kHeads * kDim * kDim), 0.1F);
  std::vector<float> vector(static_cast<std::size_t>(kHeads * kDim), 0.1F);
  const std::array<std::int64_t, 4> square{1, kHeads, kDim, kDim};
  const auto view_of = [](std::vector<float>& data, std::array<std::int64_t, 4> shape) {
    return dense_view(static_cast<void*>(data.data()), ElementType::f32, shape);
  };
  ScoringInputs inputs{call.query.view, call.key.view, call.value.view, {}, {}, {}};
  ScoringOptions options;
  options.stop = stopped(0).stop;
  expect_cancelled([&] { scoring_forward(ScoringForm::dot, inputs, call.output.view, options); });
  inputs.weight = view_of(weight, square);
  inputs.key_weight = view_of(weight, square);
  inputs.score_vector = view_of(vector, {1, kHeads, 1, kDim});
  expect_cancelled(
      [&] { scoring_forward(ScoringForm::additive, inputs, call.output.view, options); });
  scoring_forward(ScoringForm::additive, inputs, call.output.view, {}, call.log_sum_exp.data());
  std::vector<float> grad_weight(weight), grad_key_weight(weight), grad_vector(vector);
  const ScoringGradients gradients{call.grad_query.view,
                                   call.grad_key.view,
                                   call.grad_value.view,
                                   view_of(grad_weight, square),
                                   view_of(grad_key_weight, square),
                                   view_of(grad_vector, {1, kHeads, 1, kDim})};
  expect_cancelled([&] {
    scoring_backward(ScoringForm::additive, inputs, call.output.view, call.log_sum_exp.data(),
                     call.grad_output.view, gradients, options);
  });
}

}  // namespace
}  // namespace whereof
