#include "compute_routes.h"

#include <exception>
#include <filesystem>

#include "http_error.h"

namespace whereof::server {
namespace {

void add_figures(const std::shared_ptr<AnswerDesk>& desk) {
  Metrics& metrics = desk->service().metrics();
  const std::weak_ptr<AnswerDesk> weak = desk;
  metrics.gauge("whereof_jobs_running", "Requests that compute.", [weak] {
    const auto there = weak.lock();
    return there ? static_cast<double>(there->queue().running()) : 0.0;
  });
  metrics.gauge("whereof_jobs_waiting", "Requests that wait for a slot.", [weak] {
    const auto there = weak.lock();
    return there ? static_cast<double>(there->queue().waiting()) : 0.0;
  });
}

// The server's own model is opened, and its speed known, before the first question.
void warm_up(const std::shared_ptr<AnswerDesk>& desk) {
  AnswerDesk& at = *desk;
  const std::filesystem::path file = at.models().file_of({});  // or the server does not start
  at.queue().submit({.client = {},
                     .stop = {},
                     .work =
                         [&at, file, ready = at.service().add_part("model")](const JobRun&) {
                           try {
                             at.models().speed_of(*at.models().open(file));
                             ready();
                           } catch (const std::exception& error) {
                             log_line(error.what());
                           }
                         },
                     .on_ahead = {}});
}

}  // namespace

std::string client_of(const Request& request, const std::string& user) {
  return request.peer + " " + user;
}

void add_compute_routes(Router& router, Service& service) {
  const auto desk = std::make_shared<AnswerDesk>(service);
  add_figures(desk);
  if (service.options().loads_model) warm_up(desk);
  add_ask_routes(router, desk);
  add_document_job_routes(router, desk);
  add_chat_routes(router, desk);
}

}  // namespace whereof::server
