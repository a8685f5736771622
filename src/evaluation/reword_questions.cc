// A line of JSON for each question: its text, the model's name, the words and what they cost.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

using nlohmann::ordered_json;

Rewording rewording_of(const nlohmann::json& line) {
  Rewording rewording;
  rewording.words = line.at("words").get<std::vector<std::string>>();
  rewording.prompt_tokens = line.at("prompt_tokens").get<std::int64_t>();
  rewording.reply_tokens = line.at("reply_tokens").get<std::int64_t>();
  rewording.seconds = line.at("seconds").get<double>();
  return rewording;
}

// The rewordings that a file keeps, of one model.
class RewordingFile {
 public:
  RewordingFile(std::filesystem::path file, std::string model)
      : file_(std::move(file)), model_(std::move(model)) {
    if (file_.empty() || !std::filesystem::exists(file_)) return;
    std::ifstream stream(file_, std::ios::binary);
    if (!stream) throw Error(ErrorKind::input_output, file_.string() + ": cannot be read");
    std::string line;
    for (std::int64_t number = 1; std::getline(stream, line); ++number) {
      // The last line may be a killed run's.
      if (stream.eof()) break;
      whole_bytes_ += line.size() + 1;
      take(line, number);
    }
  }

  const Rewording* find(const std::string& question) const {
    const auto found = kept_.find(question);
    return found == kept_.end() ? nullptr : &found->second;
  }

  const Rewording& add(const std::string& question, Rewording rewording) {
    const Rewording& kept = kept_[question] = std::move(rewording);
    if (file_.empty()) return kept;
    const ordered_json json = {{"model", model_},
                               {"question", question},
                               {"words", kept.words},
                               {"prompt_tokens", kept.prompt_tokens},
                               {"reply_tokens", kept.reply_tokens},
                               {"seconds", kept.seconds}};
    const std::string line =
        json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    if (std::filesystem::exists(file_)) std::filesystem::resize_file(file_, whole_bytes_);
    std::ofstream stream(file_, std::ios::binary | std::ios::app);
    stream << line;
    stream.close();
    if (!stream) throw Error(ErrorKind::input_output, file_.string() + ": cannot be written");
    whole_bytes_ += line.size();
    return kept;
  }

 private:
  void take(const std::string& line, std::int64_t number) {
    try {
      const auto json = nlohmann::json::parse(line);
      if (json.at("model").get<std::string>() != model_) return;
      kept_[json.at("question").get<std::string>()] = rewording_of(json);
    } catch (const nlohmann::json::exception&) {
      throw Error(ErrorKind::input_output, file_.string() + ", line " + std::to_string(number) +
                                               ": is no rewording of a question");
    }
  }

  const std::filesystem::path file_;
  const std::string model_;
  std::uintmax_t whole_bytes_ = 0;  // of whole lines
  std::map<std::string, Rewording> kept_;
};

}  // namespace

RewordingFigures reword_questions(QuestionSet& set, const std::shared_ptr<const Model>& model,
                                  const std::filesystem::path& file,
                                  const RewordingOptions& options) {
  RewordingFile kept(file, model->description().name);
  std::map<std::string, const Rewording*> all;
  RewordingFigures figures;
  std::int64_t done = 0;
  for (GoldQuestion& question : set.questions) {
    if (options.progress) {
      options.progress({"rewording", "questions", done++, std::ssize(set.questions)});
    }
    const Rewording*& rewording = all[question.text];
    if (rewording == nullptr) {
      rewording = kept.find(question.text);
      if (rewording == nullptr) {
        rewording = &kept.add(question.text, whereof::reword(model, question.text, options));
      }
      ++figures.questions;
      figures.mean_words += static_cast<double>(rewording->words.size());
      figures.mean_prompt_tokens += static_cast<double>(rewording->prompt_tokens);
      figures.mean_reply_tokens += static_cast<double>(rewording->reply_tokens);
      figures.mean_seconds += rewording->seconds;
    }
    question.more_words = searched_words(*rewording);
  }
  if (figures.questions == 0) return figures;
  const auto count = static_cast<double>(figures.questions);
  figures.mean_words /= count;
  figures.mean_prompt_tokens /= count;
  figures.mean_reply_tokens /= count;
  figures.mean_seconds /= count;
  return figures;
}

}  // namespace whereof
