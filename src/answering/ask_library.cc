// A question to all documents: the best passages over the library, each document's with what they
// lean on, bound into one document for the model (bound_documents.h).
#include <algorithm>
#include <string>

#include "answering/alarms.h"
#include "answering/answer_together.h"
#include "answering/bound_documents.h"
#include "answering/earlier_questions.h"
#include "answering/passages_in_room.h"
#include "answering/route.h"
#include "answering/searched_question.h"
#include "retrieval/searched_documents.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using answering::BoundDocuments;
using answering::Manner;
using answering::Prompt;

constexpr std::int64_t kMostHits = 400;
constexpr std::size_t kMostDocuments = 12;
constexpr double kFoundShare = 0.65;          // of the room; the rest is for what they lean on
constexpr std::int64_t kNameTokens = 16;      // a document's name in a passage's label
constexpr std::int64_t kUnlabelledRoom = 64;  // the question's frame is counted with this to spare

// Found passages of one document, best first.
struct Source {
  std::string content_hash;
  std::vector<Passage> found;
  std::int64_t tokens = 0;  // of found
};

// Hits, best first, until they fill the room; those of a document together.
std::vector<Source> sources_of(const std::vector<Hit>& hits, std::int64_t room, const Model& model,
                               retrieval::SearchedDocuments& documents) {
  std::vector<Source> sources;
  std::int64_t used = 0;
  for (const Hit& hit : hits) {
    const Document* document = documents.find(hit.content_hash);
    if (document == nullptr) continue;
    auto source = std::find_if(sources.begin(), sources.end(), [&](const Source& one) {
      return one.content_hash == hit.content_hash;
    });
    if (source == sources.end()) {
      if (sources.size() == kMostDocuments) continue;
      source = sources.insert(sources.end(), {hit.content_hash, {}, 0});
    }
    const std::int64_t tokens =
        answering::tokens_of(*document, hit.where.text, model) + kNameTokens;
    if (used + tokens > room && used > 0) {
      if (source->found.empty()) sources.erase(source);
      break;
    }
    used += tokens;
    source->tokens += tokens;
    source->found.push_back(hit.where);
  }
  return sources;
}

std::string reason_of(const LibraryAnswer& result, std::size_t documents_in_library) {
  const RoutePlan& plan = result.answer.plan;
  const std::string seconds =
      std::to_string(static_cast<std::int64_t>(plan.predicted_seconds + 0.5));
  return "reading " + std::to_string(plan.passages_read) + " passages of " +
         std::to_string(result.documents.size()) + " of the library's " +
         std::to_string(documents_in_library) + " documents, " +
         std::to_string(plan.prompt_tokens) + " tokens in about " + seconds + " s" +
         answering::added_words_clause(plan);
}

// A library question on its way.
class LibraryQuestion {
 public:
  LibraryQuestion(Library& library, std::shared_ptr<const Model> model, std::string_view question,
                  const AskOptions& options)
      : library_(library), model_(std::move(model)), question_(question), options_(options) {
    manner_.language = answering::language_of(question);
    manner_.earlier = answering::questions_that_count(options.earlier);
    Answer& answer = result_.answer;
    answer.question = question_;
    answer.language = manner_.language == answering::Language::chinese ? "zh" : "en";
    answer.plan.route = Route::passages;
    answer.plan.window_tokens = model_->description().window_tokens;
    answer.plan.budget_seconds = options.budget_seconds;
  }

  LibraryAnswer run() {
    choose();
    const BoundDocuments bound(result_.documents);
    std::vector<Passage> passages;
    for (std::size_t d = 0; d < result_.chosen.size(); ++d) {
      for (const ChosenPassage& chosen : result_.chosen[d]) {
        passages.push_back(bound.bind(d, chosen.where));
      }
    }
    const Prompt prompt =
        answering::compose_prompt(bound.document(), passages, question_, manner_, *model_);
    state_plan(passages, prompt);
    const Prompt* const prompts[] = {&prompt};
    Answer* const answers[] = {&result_.answer};
    const Prompt content_free = answering::compose_prompt(
        bound.document(), passages, answering::phrases_in(manner_.language).content_free, manner_,
        *model_);
    const std::vector<answering::ScoredPassage> found = found_in(bound);
    answering::answer_together(bound.document(), content_free, prompts, manner_, model_, options_,
                               nullptr, nullptr, {&found, 1}, find_instructions(bound.document()),
                               answers);
    for (Citation& citation : result_.answer.citations) bound.unbind(citation);
    for (AnswerSentence& sentence : result_.answer.sentences) {
      for (Citation& citation : sentence.citations) bound.unbind(citation);
    }
    raise_alarms_of_documents();
    return std::move(result_);
  }

 private:
  std::int64_t most_tokens() const {
    return result_.answer.plan.window_tokens - options_.max_answer_tokens;
  }

  void raise_alarms_of_documents() {
    std::vector<Alarm> alarms;
    for (const std::string& name : result_.outdated) {
      alarms.push_back(answering::alarm_of_changed_file(name));
    }
    for (const Document& document : result_.documents) {
      for (Alarm& alarm :
           answering::alarms_of_document(document, find_instructions(document), document.name)) {
        alarms.push_back(std::move(alarm));
      }
    }
    std::vector<Alarm>& all = result_.answer.alarms;
    all.insert(all.begin(), alarms.begin(), alarms.end());
  }

  // What full text found, of the documents that are bound.
  std::vector<answering::ScoredPassage> found_in(const BoundDocuments& bound) const {
    std::vector<answering::ScoredPassage> found;
    for (const Hit& hit : hits_) {
      for (std::size_t d = 0; d < result_.documents.size(); ++d) {
        if (result_.documents[d].content_hash != hit.content_hash) continue;
        found.push_back({bound.bind(d, hit.where).text, hit.score});
      }
    }
    return found;
  }

  std::size_t documents_asked() {
    return options_.documents.empty() ? library_.entries().size() : options_.documents.size();
  }

  // Each document that was chosen is searched by itself: what else the library holds, and how
  // much of it, changes nothing.
  std::vector<Hit> search(std::span<const std::string> earlier, std::int64_t limit,
                          std::string_view more_words) {
    const auto search_in = [&](std::string_view document) {
      return answering::search(library_, question_, earlier, limit, document,
                               answering::kMostEarlierShare, more_words);
    };
    if (options_.documents.empty()) return search_in({});
    std::vector<Hit> hits;
    for (const std::string& document : options_.documents) {
      if (document.empty()) continue;
      for (Hit& hit : search_in(document)) hits.push_back(std::move(hit));
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.score > b.score; });
    return hits;
  }

  void choose() {
    result_.answer.signals.statement = answering::is_statement(question_) ? 1 : 0;
    const answering::SearchedQuestion searched =
        answering::searched_question(model_, question_, options_, result_.answer.plan);
    hits_ = search(options_.earlier, kMostHits, {});  // what the signals are of
    // The verdict was fitted on questions that stand alone: it counts the question's own words.
    result_.answer.signals.full_text_score =
        manner_.earlier.empty() ? answering::best_of(hits_) : answering::best_of(search({}, 1, {}));
    retrieval::SearchedDocuments documents(library_);
    const auto frame = static_cast<std::int64_t>(
        answering::compose_prompt({}, {}, question_, manner_, *model_).tokens.size());
    const std::int64_t room =
        answering::tokens_within(shape_of(model_->description()), options_.machine,
                                 options_.budget_seconds - result_.answer.plan.rewording_seconds,
                                 std::max<std::int64_t>(most_tokens(), 0)) -
        frame - kUnlabelledRoom;
    const auto found_room = static_cast<std::int64_t>(static_cast<double>(room) * kFoundShare);
    const std::vector<Hit> to_read = searched.more_words.empty()
                                         ? hits_
                                         : search(options_.earlier, kMostHits, searched.more_words);
    for (const Source& source : sources_of(to_read, found_room, *model_, documents)) {
      const Document& document = *documents.find(source.content_hash);
      const auto own_room =
          static_cast<std::int64_t>(static_cast<double>(source.tokens) / kFoundShare);
      result_.chosen.push_back(
          answering::passages_in_room(document, *model_, question_, source.found, own_room));
      result_.documents.push_back(document);
    }
    result_.outdated = documents.outdated();
    if (result_.documents.empty()) {
      throw Error(ErrorKind::not_found, "the library's " + std::to_string(documents_asked()) +
                                            " documents hold no word of the question");
    }
  }

  void state_plan(const std::vector<Passage>& passages, const Prompt& prompt) {
    RoutePlan& plan = result_.answer.plan;
    plan.prompt_tokens = static_cast<std::int64_t>(prompt.tokens.size());
    plan.passages_read = static_cast<std::int64_t>(passages.size());
    plan.predicted_seconds = answering::seconds_to_read(shape_of(model_->description()),
                                                        options_.machine, plan.prompt_tokens);
    if (plan.prompt_tokens > most_tokens()) {
      throw Error(ErrorKind::over_window,
                  "the question and one passage take " + std::to_string(plan.prompt_tokens) +
                      " tokens and the answer up to " + std::to_string(options_.max_answer_tokens) +
                      ", the model's window is " + std::to_string(plan.window_tokens));
    }
    plan.reason = reason_of(result_, documents_asked());
    if (options_.on_plan) options_.on_plan(plan);
  }

  Library& library_;
  std::shared_ptr<const Model> model_;
  std::string question_;
  const AskOptions& options_;
  Manner manner_;
  std::vector<Hit> hits_;
  LibraryAnswer result_;
};

}  // namespace

LibraryAnswer ask_library(Library& library, std::shared_ptr<const Model> model,
                          std::string_view question, const AskOptions& options) {
  answering::check_question(question, options);
  if (!options.hidden.empty() || options.expected) {
    throw Error(ErrorKind::invalid_argument,
                "AskOptions::hidden and expected are places of one document; this question is to "
                "the library");
  }
  return LibraryQuestion(library, std::move(model), answering::trimmed(question), options).run();
}

}  // namespace whereof
