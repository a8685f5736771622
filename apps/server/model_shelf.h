// The models that requests name: each is opened once and shared.
#ifndef WHEREOF_SERVER_MODEL_SHELF_H_
#define WHEREOF_SERVER_MODEL_SHELF_H_

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "whereof/answer.h"
#include "whereof/budget.h"
#include "whereof/calibration.h"
#include "whereof/model.h"
#include "whereof/shared_steps.h"

namespace whereof::server {

struct ServedModel {
  std::string id;  // the file's name without its ending
  std::shared_ptr<const Model> model;
  std::shared_ptr<SharedSteps> steps;  // of all requests: they compute together
  Calibration calibration;
};

// Any thread.
class ModelShelf {
 public:
  // own: the server's model, a name or a file; empty: the default one. threads: of computing.
  ModelShelf(std::string own, int threads);

  // The file of a model that a request names; empty or null text: the server's own. Only names of
  // files in the models folder and the server's own model will do, never a path. Throws
  // HttpError(404).
  std::filesystem::path file_of(std::string_view name) const;
  // Opens the file when it is first asked for, while others wait. Throws what Model::open throws.
  std::shared_ptr<const ServedModel> open(const std::filesystem::path& file);
  // As the command line has it: kept, or measured now, which takes about a second.
  MachineSpeed speed_of(const ServedModel& served);
  void learn(const ServedModel& served, const MachineSpeed& used, const Answer& answer);

 private:
  const std::string own_;
  const int threads_;
  std::mutex opening_;
  std::map<std::filesystem::path, std::shared_ptr<const ServedModel>> opened_;
  std::mutex measuring_;  // and of the file of speeds
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_MODEL_SHELF_H_
