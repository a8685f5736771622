#include "workspace/machine_file.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "whereof/error.h"
#include "whereof/health.h"
#include "whereof/instruction_set.h"
#include "workspace/user_folders.h"

namespace whereof::workspace {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t kLeastTokens = 200;  // a shorter prompt says little about speed
constexpr std::int64_t kLeastAnswerTokens = 8;
constexpr double kLargestStep = 4;
constexpr std::size_t kRunsKept = 10;

std::optional<fs::path> speeds_file() {
  const auto cache = cache_folder();
  if (!cache) return std::nullopt;
  return *cache / "speeds.json";
}

// A file's name need not be UTF-8; what stands in a JSON file must be.
std::string as_text(const std::string& bytes) {
  return json::parse(json(bytes).dump(-1, ' ', false, json::error_handler_t::replace));
}

std::string key_of(const Model& model, int threads) {
  const ModelDescription& description = model.description();
  return as_text(description.path.filename().string()) + "|" +
         std::to_string(description.file_bytes) + "|" +
         std::string(name_of(chosen_instruction_set())) + "|" + std::to_string(threads);
}

json read_speeds() {
  const auto file = speeds_file();
  if (!file) return json::object();
  std::ifstream stream(*file);
  json speeds = json::parse(stream, nullptr, false);
  return speeds.is_object() ? speeds : json::object();
}

json runs_of(const json& speeds, const std::string& key) {
  const auto entry = speeds.find(key);
  if (entry == speeds.end() || !entry->is_object()) return json::array();
  const auto runs = entry->find("runs");
  return runs != entry->end() && runs->is_array() ? *runs : json::array();
}

// Runs of the key before this one stay. Another process's entry of the same moment may be lost.
void write_speed(const std::string& key, const MachineSpeed& machine,
                 const std::optional<PastRun>& run = std::nullopt) {
  static std::mutex one_at_a_time;  // threads of one process have one fresh file
  const std::lock_guard lock(one_at_a_time);
  const auto file = speeds_file();
  if (!file) return;
  std::error_code failure;
  fs::create_directories(file->parent_path(), failure);
  json speeds = read_speeds();
  json runs = runs_of(speeds, key);
  if (run) {
    runs.push_back({{"tokens", run->tokens},
                    {"predicted_seconds", run->predicted_seconds},
                    {"took_seconds", run->took_seconds}});
    while (runs.size() > kRunsKept) runs.erase(runs.begin());
  }
  speeds[key] = {{"flops_per_second", machine.flops_per_second},
                 {"attention_flops_per_second", machine.attention_flops_per_second},
                 {"bytes_per_second", machine.bytes_per_second},
                 {"runs", runs}};
  const fs::path fresh = file->string() + "." + std::to_string(getpid());
  {
    std::ofstream stream(fresh);
    stream << speeds.dump(2) << '\n';
    if (!stream.flush()) {
      fs::remove(fresh, failure);
      return;
    }
  }
  fs::rename(fresh, *file, failure);
}

std::optional<MachineSpeed> kept_speed(const std::string& key) {
  const json speeds = read_speeds();
  const auto entry = speeds.find(key);
  if (entry == speeds.end() || !entry->is_object()) return std::nullopt;
  const auto number = [&](const char* name) {
    const auto value = entry->find(name);
    return value != entry->end() && value->is_number() ? value->get<double>() : 0.0;
  };
  MachineSpeed machine;
  machine.name = "this machine";
  machine.flops_per_second = number("flops_per_second");
  machine.attention_flops_per_second = number("attention_flops_per_second");
  machine.bytes_per_second = number("bytes_per_second");
  machine.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const bool is_whole = machine.flops_per_second > 0 && machine.attention_flops_per_second > 0 &&
                        machine.bytes_per_second > 0;
  return is_whole ? std::optional(machine) : std::nullopt;
}

void require_sound_attention(const std::shared_ptr<const Model>& model, int threads) {
  const Health health = check_health(model, {.depth_tokens = 0, .threads = threads});
  if (health.holds) return;
  throw Error(ErrorKind::failed_check, "health check of " + model->description().name + ": " +
                                           std::string(name_of(health.recognised)) + ": " +
                                           health.alarm);
}

}  // namespace

MachineSpeed machine_speed(const std::shared_ptr<const Model>& model, int threads, bool is_fresh) {
  const std::string key = key_of(*model, threads);
  if (!is_fresh) {
    if (const auto kept = kept_speed(key)) return *kept;
  }
  require_sound_attention(model, threads);
  const MachineSpeed machine = measure_machine(model, threads);
  write_speed(key, machine);
  return machine;
}

namespace {

// Half of the way from what was predicted to what it took: one run beside a busy neighbour is one.
double step_towards(double predicted_seconds, double took_seconds) {
  const double factor =
      std::clamp(predicted_seconds / took_seconds, 1 / kLargestStep, kLargestStep);
  return (1 + factor) / 2;
}

}  // namespace

void learn_speed(const Model& model, int threads, const MachineSpeed& used, const Answer& answer,
                 bool is_alone) {
  const std::int64_t computed = computed_tokens(answer.plan);
  MachineSpeed machine = used;
  std::optional<PastRun> run;
  if (computed >= kLeastTokens && answer.prefill_seconds > 0) {
    run = PastRun{computed, answer.plan.predicted_seconds, answer.prefill_seconds};
    const double step = step_towards(answer.plan.predicted_seconds, answer.prefill_seconds);
    machine.flops_per_second *= step;
    machine.attention_flops_per_second *= step;
  }
  if (is_alone && answer.answer_tokens >= kLeastAnswerTokens && answer.decode_seconds > 0) {
    const Cost cost = cost_of_reading(shape_of(model.description()), used,
                                      static_cast<double>(answer.plan.prompt_tokens));
    machine.bytes_per_second *=
        step_towards(cost.decode_seconds_per_token * static_cast<double>(answer.answer_tokens),
                     answer.decode_seconds);
  }
  write_speed(key_of(model, threads), machine, run);
}

std::vector<PastRun> past_runs(const Model& model, int threads) {
  std::vector<PastRun> past;
  for (const json& run : runs_of(read_speeds(), key_of(model, threads))) {
    const auto number = [&](const char* name) {
      const auto value = run.is_object() ? run.find(name) : run.end();
      return value != run.end() && value->is_number() ? value->get<double>() : 0.0;
    };
    past.push_back({static_cast<std::int64_t>(number("tokens")), number("predicted_seconds"),
                    number("took_seconds")});
  }
  return past;
}

}  // namespace whereof::workspace
