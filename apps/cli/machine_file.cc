#include "machine_file.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "user_folders.h"
#include "whereof/instruction_set.h"

namespace whereof::cli {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t kLeastTokens = 200;  // a shorter prompt says little about speed
constexpr double kLargestStep = 4;

std::optional<fs::path> speeds_file() {
  const auto cache = cache_folder();
  if (!cache) return std::nullopt;
  return *cache / "speeds.json";
}

std::string key_of(const Model& model, int threads) {
  const ModelDescription& description = model.description();
  return description.path.filename().string() + "|" + std::to_string(description.file_bytes) + "|" +
         std::string(name_of(chosen_instruction_set())) + "|" + std::to_string(threads);
}

json read_speeds() {
  const auto file = speeds_file();
  if (!file) return json::object();
  std::ifstream stream(*file);
  json speeds = json::parse(stream, nullptr, false);
  return speeds.is_object() ? speeds : json::object();
}

void write_speed(const std::string& key, const MachineSpeed& machine) {
  const auto file = speeds_file();
  if (!file) return;
  std::error_code failure;
  fs::create_directories(file->parent_path(), failure);
  json speeds = read_speeds();
  speeds[key] = {{"flops_per_second", machine.flops_per_second},
                 {"attention_flops_per_second", machine.attention_flops_per_second},
                 {"bytes_per_second", machine.bytes_per_second}};
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

}  // namespace

MachineSpeed machine_speed(const std::shared_ptr<const Model>& model, int threads, bool is_fresh) {
  const std::string key = key_of(*model, threads);
  if (!is_fresh) {
    if (const auto kept = kept_speed(key)) return *kept;
  }
  const MachineSpeed machine = measure_machine(model, threads);
  write_speed(key, machine);
  return machine;
}

void learn_speed(const Model& model, int threads, const MachineSpeed& used, const Answer& answer) {
  if (computed_tokens(answer.plan) < kLeastTokens || answer.prefill_seconds <= 0) return;
  const double factor = std::clamp(answer.plan.predicted_seconds / answer.prefill_seconds,
                                   1 / kLargestStep, kLargestStep);
  const double step = (1 + factor) / 2;  // half of the way: one run beside a busy neighbour is one
  MachineSpeed machine = used;
  machine.flops_per_second *= step;
  machine.attention_flops_per_second *= step;
  write_speed(key_of(model, threads), machine);
}

}  // namespace whereof::cli
