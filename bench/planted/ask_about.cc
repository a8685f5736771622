#include "planted/ask_about.h"

#include <unistd.h>

#include <system_error>

#include "whereof/evaluation.h"

namespace whereof::planted {

Workplace::Workplace()
    : folder_(std::filesystem::temp_directory_path() /
              ("whereof-planted-" + std::to_string(getpid()))) {
  std::filesystem::create_directories(folder_);
  library_ = Library::open(folder_ / "library.db");
  store_ = KvStore::open({.folder = folder_ / "kept"});
}

Workplace::~Workplace() {
  library_.reset();
  store_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Outcome ask_about(const Case& made, Workplace& workplace, const std::shared_ptr<const Model>& model,
                  int threads) {
  const Document document = read_question_document({"contract.txt", {}, made.text});
  workplace.library().add(document);
  AskOptions options;
  options.threads = threads;
  options.max_answer_tokens = 24;
  options.max_citations = 3;
  options.calibration = Calibration::of_model(model->description());
  options.store = workplace.store();
  options.machine.flops_per_second = options.machine.attention_flops_per_second = 1e11;
  options.machine.bytes_per_second = 1e10;
  options.expected = find_words(document, made.expected);
  if (options.expected->text.empty()) {
    return {diagnosis_of_absent(document, *options.expected, made.question), ""};
  }
  if (made.treatment == Treatment::masked) options.hidden = options.expected->text;
  if (made.treatment == Treatment::cut_from_context) options.budget_seconds = 0;
  const Answer answer = ask(document, workplace.library(), model, made.question, options);
  return {*answer.diagnosis, answer.text};
}

}  // namespace whereof::planted
