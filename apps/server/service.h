// What all routes share: options, documents, figures, threads.
#ifndef WHEREOF_SERVER_SERVICE_H_
#define WHEREOF_SERVER_SERVICE_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "metrics.h"
#include "owned_descriptor.h"
#include "router.h"

namespace whereof::server {

class DocumentShelf;
class FileStore;

struct ServiceOptions {
  std::string host = "127.0.0.1";
  int port = 8717;                // 0: any that is free
  std::filesystem::path library;  // the file
  std::string model;  // a name or a file, as for --model; the default of requests that name none
  bool loads_model = false;                  // --model was given: not ready before it is open
  int slots = 2;                             // requests that compute at once
  int queue = 128;                           // requests that wait for a slot; the next one gets 429
  int threads = 0;                           // of computing; 0: all processors
  std::filesystem::path kept_folder;         // of readings; empty: the user's own
  std::string key;                           // empty: none is asked for
  std::vector<std::string> allowed_hosts;    // besides loopback names and the bound address
  std::vector<std::string> allowed_origins;  // "https://intranet.example"
  int request_seconds = 600;
};

class Service {
 public:
  // Throws Error: input_output where another server has this library; what Library::open throws.
  explicit Service(ServiceOptions options);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  const ServiceOptions& options() const noexcept { return options_; }

  // Documents by "file-..." id, parsed once and kept while they are used. Any thread.
  DocumentShelf& documents() noexcept { return *documents_; }
  FileStore& files() noexcept { return *files_; }
  Metrics& metrics() noexcept { return metrics_; }

  // /health answers 200 once every part has reported. Call add_part before the server starts and
  // the returned function, from any thread, when that part is ready.
  std::function<void()> add_part(std::string name);
  bool is_ready() const;
  // Stops when the server ends: for threads of jobs. Jobs end before the Service does.
  std::stop_token stop() const noexcept { return stop_.get_token(); }
  void request_stop() { stop_.request_stop(); }

 private:
  ServiceOptions options_;
  OwnedDescriptor lock_;  // of the library, for servers
  Metrics metrics_;
  std::unique_ptr<DocumentShelf> documents_;
  std::unique_ptr<FileStore> files_;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::vector<std::string> unready_;
};

// Each group of routes is a file: it adds its own to the router. What it needs beside the Service
// (slots, models) it makes itself and keeps alive by its handlers.
void add_health_routes(Router& router, Service& service);
void add_page_routes(Router& router);
void add_model_routes(Router& router, Service& service);
void add_file_routes(Router& router, Service& service);
void add_document_routes(Router& router, Service& service);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_SERVICE_H_
