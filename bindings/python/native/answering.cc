// Documents, libraries, models and answers: built where the product is.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "json/answer_json.h"
#include "json/clause_json.h"
#include "parts.h"
#include "running.h"
#include "whereof/answer.h"
#include "whereof/document.h"
#include "whereof/model.h"
#include "whereof/retrieval.h"
#include "workspace/kept_store.h"
#include "workspace/library_file.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace nb = nanobind;

namespace whereof::python {
namespace {

// However long it takes: a thread of its own, so that Ctrl-C is noticed.
constexpr double kLong = std::numeric_limits<double>::infinity();

struct OpenModel {
  std::shared_ptr<const Model> model;
};

std::string dumped(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Document read(const std::string& path, const std::string& worker_program, bool recognizes_text) {
  Document document;
  run_released(kLong, [&](const std::stop_token& stop) {
    ReadDocumentOptions options;
    options.worker_program = worker_program;
    options.recognizes_text = recognizes_text;
    options.stop = stop;
    document = read_document(path, options);
  });
  return document;
}

// A library is opened for each call: its object belongs to one thread.
template <typename Work>
void with_library(const std::string& file, Work&& work) {
  run_released(kLong, [&](const std::stop_token&) { work(*workspace::open_library(file)); });
}

nb::list search(const std::string& file, const std::string& question, std::int64_t limit,
                const std::string& content_hash) {
  std::vector<Hit> hits;
  with_library(file,
               [&](Library& library) { hits = library.search(question, limit, content_hash); });
  nb::list found;
  for (const Hit& hit : hits) {
    found.append(nb::make_tuple(hit.content_hash, hit.where.text.begin, hit.where.text.end,
                                hit.where.clause, hit.score, hit.coverage));
  }
  return found;
}

nb::list entries(const std::string& file) {
  std::vector<LibraryEntry> all;
  with_library(file, [&](Library& library) { all = library.entries(); });
  nb::list found;
  for (const LibraryEntry& entry : all) {
    found.append(
        nb::make_tuple(entry.content_hash, entry.name, entry.path, entry.characters, entry.pages));
  }
  return found;
}

std::optional<Document> load(const std::string& file, const std::string& content_hash) {
  std::optional<Document> document;
  with_library(file, [&](Library& library) { document = library.load(content_hash); });
  return document;
}

// Numbers of the library as an array that owns them.
template <typename Scalar>
nb::object owned(std::vector<Scalar> numbers, std::initializer_list<std::int64_t> shape) {
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  auto* kept = new std::vector<Scalar>(std::move(numbers));
  const nb::capsule owner(kept,
                          [](void* it) noexcept { delete static_cast<std::vector<Scalar>*>(it); });
  return nb::ndarray<nb::numpy, Scalar>(kept->data(), extents.size(), extents.data(), owner).cast();
}

nb::dict masses_of(const AnswerMasses& masses) {
  nb::dict arrays;
  const auto count = static_cast<std::int64_t>(masses.sentences.size());
  std::vector<std::int64_t> sentences;
  for (const Span span : masses.sentences) {
    sentences.push_back(span.begin);
    sentences.push_back(span.end);
  }
  arrays["sentences"] = owned(std::move(sentences), {count, 2});
  const auto by_head = [&](const char* name, const std::vector<float>& figures) {
    if (figures.empty()) return;
    arrays[name] = owned(figures, {masses.layers, masses.heads, count});
  };
  if (masses.content_free) by_head("content_free", *masses.content_free);
  by_head("question", masses.question);
  by_head("answer", masses.answer);
  const auto scores = [&](const char* name, const std::vector<double>& figures) {
    if (!figures.empty()) arrays[name] = owned(figures, {count});
  };
  scores("question_scores", masses.question_scores);
  scores("answer_scores", masses.answer_scores);
  return arrays;
}

nb::dict layers_of(const std::vector<LayerFigures>& layers) {
  std::vector<double> entropy;
  std::vector<double> sink_mass;
  for (const LayerFigures& layer : layers) {
    entropy.push_back(layer.entropy_share);
    sink_mass.push_back(layer.sink_mass);
  }
  const auto count = static_cast<std::int64_t>(layers.size());
  nb::dict arrays;
  arrays["entropy_share"] = owned(std::move(entropy), {count});
  arrays["sink_mass"] = owned(std::move(sink_mass), {count});
  return arrays;
}

// Calls a function of Python from a thread of the library; what it raises stops the work and is
// raised again by rethrow().
class Callback {
 public:
  Callback(nb::object function, std::stop_source& stop)
      : function_(std::move(function)), stop_(stop) {}

  template <typename... Arguments>
  void operator()(const Arguments&... arguments) {
    if (function_.is_none() || raised_) return;
    const nb::gil_scoped_acquire lock;
    try {
      function_(arguments...);
    } catch (...) {
      raised_ = std::current_exception();
      stop_.request_stop();
    }
  }
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  nb::object function_;
  std::stop_source& stop_;
  std::exception_ptr raised_;
};

struct AskArguments {
  double budget_seconds = 60;
  std::int64_t max_tokens = 256;
  std::int64_t max_citations = 5;
  float temperature = 0;
  std::uint64_t seed = 0;
  bool is_extract = false;
  bool verifies = false;
  bool keeps_readings = true;
  std::vector<std::string> earlier;
  int threads = 0;
};

AskOptions options_of(const AskArguments& arguments, const std::shared_ptr<const Model>& model) {
  AskOptions options;
  options.budget_seconds = arguments.budget_seconds;
  options.max_answer_tokens = arguments.max_tokens;
  options.max_citations = arguments.max_citations;
  options.sampler.temperature = arguments.temperature;
  options.sampler.seed = arguments.seed;
  options.is_extract = arguments.is_extract;
  options.verifies = arguments.verifies;
  options.earlier = arguments.earlier;
  options.threads = arguments.threads;
  options.keeps_masses = true;
  options.machine = workspace::machine_speed(model, arguments.threads, false);
  options.calibration = workspace::calibration_of(*model);
  options.store = workspace::kept_store({.folder = "", .is_off = !arguments.keeps_readings});
  return options;
}

nb::tuple ask_document(const OpenModel& open, const Document& document, const std::string& library,
                       const std::string& question, const AskArguments& arguments,
                       nb::object on_text, nb::object on_progress, std::stop_source& stop) {
  Answer answer;
  std::exception_ptr failure;
  Callback text(std::move(on_text), stop);
  Callback progress(std::move(on_progress), stop);
  run_released(kLong, [&](const std::stop_token& interrupted) {
    const std::stop_callback forward(interrupted, [&] { stop.request_stop(); });
    AskOptions options = options_of(arguments, open.model);
    options.stop = stop.get_token();
    options.on_text = [&](std::string_view part) { text(std::string(part)); };
    options.progress = [&](const Progress& at) {
      progress(std::string(at.phase), at.done, at.total);
    };
    const std::unique_ptr<Library> opened = workspace::open_library(library);
    try {
      if (!opened->contains(document.content_hash)) opened->add(document);
      answer = ask(document, *opened, open.model, question, options);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  text.rethrow();
  progress.rethrow();
  if (failure) std::rethrow_exception(failure);
  return nb::make_tuple(dumped(json::answer_json(answer, document, *open.model)),
                        answer.masses ? masses_of(*answer.masses) : nb::dict(),
                        layers_of(answer.layers));
}

void add_documents(nb::module_& module) {
  nb::class_<Document>(module, "Document")
      .def_static("read", &read, nb::arg("path"), nb::arg("worker_program"),
                  nb::arg("recognizes_text"))
      .def_prop_ro("name", [](const Document& document) { return document.name; })
      .def_prop_ro("type",
                   [](const Document& document) { return std::string(name_of(document.type)); })
      .def_prop_ro("content_hash", [](const Document& document) { return document.content_hash; })
      .def_prop_ro("text",
                   [](const Document& document) {
                     return nb::bytes(document.text.data(), document.text.size());
                   })
      .def_prop_ro("warnings", [](const Document& document) { return document.report.warnings; })
      .def("tree", [](const Document& document) { return dumped(json::tree_json(document)); });
  module.def("library_add", [](const std::string& file, const Document& document) {
    with_library(file, [&](Library& library) { library.add(document); });
  });
  module.def("library_remove", [](const std::string& file, const std::string& content_hash) {
    bool was_there = false;
    with_library(file, [&](Library& library) { was_there = library.remove(content_hash); });
    return was_there;
  });
  module.def("library_load", &load);
  module.def("library_entries", &entries);
  module.def("library_search", &search);
}

}  // namespace

void add_answering(nb::module_& module) {
  add_documents(module);
  nb::class_<OpenModel>(module, "Model")
      .def_static("open",
                  [](const std::string& name_or_path) {
                    OpenModel open;
                    run_released(kLong, [&](const std::stop_token&) {
                      open.model = Model::open(workspace::model_file(name_or_path));
                    });
                    return open;
                  })
      .def_prop_ro("name", [](const OpenModel& open) { return open.model->description().name; })
      .def_prop_ro("architecture",
                   [](const OpenModel& open) { return open.model->description().architecture; })
      .def_prop_ro("layers", [](const OpenModel& open) { return open.model->description().layers; })
      .def_prop_ro("window_tokens",
                   [](const OpenModel& open) { return open.model->description().window_tokens; })
      .def("ask", &ask_document, nb::arg("document"), nb::arg("library"), nb::arg("question"),
           nb::arg("arguments"), nb::arg("on_text").none(), nb::arg("on_progress").none(),
           nb::arg("stop"));
  nb::class_<std::stop_source>(module, "StopSource")
      .def(nb::init<>())
      .def("request_stop", [](std::stop_source& source) { source.request_stop(); });
  nb::class_<AskArguments>(module, "AskArguments")
      .def(nb::init<>())
      .def_rw("budget_seconds", &AskArguments::budget_seconds)
      .def_rw("max_tokens", &AskArguments::max_tokens)
      .def_rw("max_citations", &AskArguments::max_citations)
      .def_rw("temperature", &AskArguments::temperature)
      .def_rw("seed", &AskArguments::seed)
      .def_rw("is_extract", &AskArguments::is_extract)
      .def_rw("verifies", &AskArguments::verifies)
      .def_rw("keeps_readings", &AskArguments::keeps_readings)
      .def_rw("earlier", &AskArguments::earlier)
      .def_rw("threads", &AskArguments::threads);
  module.attr("DEFAULT_MODEL") = workspace::kDefaultModel;
}

}  // namespace whereof::python
