#include "serve.h"

#include "compute_routes.h"
#include "file_store.h"
#include "http_server.h"
#include "whereof/error.h"

namespace whereof::server {
namespace {

HttpServerOptions server_options(const Service& service, const std::filesystem::path& folder) {
  const ServiceOptions& options = service.options();
  HttpServerOptions server;
  server.host = options.host;
  server.port = options.port;
  server.access.key = options.key;
  server.access.allowed_hosts = options.allowed_hosts;
  server.access.allowed_origins = options.allowed_origins;
  server.upload_folder = folder;
  server.request_time = std::chrono::seconds(options.request_seconds);
  return server;
}

}  // namespace

void serve(ServiceOptions options, std::stop_token stop,
           const std::function<void(const std::string& url)>& on_listening) {
  if (!is_loopback(options.host) && options.key.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "--host " + options.host +
                    " can be reached from other machines, so a key is needed: --key-file FILE or "
                    "WHEREOF_KEY");
  }
  Service service(std::move(options));
  Router router;
  add_health_routes(router, service);
  add_page_routes(router);
  add_model_routes(router, service);
  add_file_routes(router, service);
  add_document_routes(router, service);
  add_compute_routes(router, service);
  HttpServer server(server_options(service, service.files().folder()), router, service.metrics());
  on_listening(server.url());
  const std::stop_callback ends(stop, [&server] { server.stop(); });
  server.run();
  service.request_stop();
}

}  // namespace whereof::server
