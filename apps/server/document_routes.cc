// /v1/documents/{id}: text, clauses, definitions, references, places and pictures of pages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "document_shelf.h"
#include "http_error.h"
#include "json/clause_json.h"
#include "service.h"
#include "stored_file.h"
#include "whereof/page_image.h"
#include "whereof/references.h"

namespace whereof::server {
namespace {

using DocumentPtr = std::shared_ptr<const Document>;

constexpr int kDotsPerInch = 96;
constexpr int kFewestDots = 10, kMostDots = 300;  // a page of 5,000 pixels takes seconds

// A whole number of the query or the path; fallback where there is none.
std::int64_t whole_number(const std::string& text, std::string_view name, std::int64_t least,
                          std::int64_t most) {
  constexpr std::size_t kDigits = 10;
  const bool is_number = !text.empty() && text.size() <= kDigits &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t value = is_number ? std::stoll(text) : -1;
  if (value >= least && value <= most) return value;
  throw HttpError(400, "invalid_value",
                  fmt::format("{}: {} was given, a whole number from {} to {} is wanted", name,
                              text.substr(0, 40), least, most),
                  std::string(name));
}

std::int64_t query_number(const Request& request, std::string_view name, std::int64_t least,
                          std::int64_t most, std::int64_t fallback) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? fallback : whole_number(found->second, name, least, most);
}

bool is_character_start(const Document& document, std::int64_t byte) {
  const auto at = static_cast<std::size_t>(byte);
  return at >= document.text.size() ||
         (static_cast<unsigned char>(document.text[at]) & 0xC0U) != 0x80U;
}

// ?begin=&end=, bytes of the text; all of it where they are absent.
Span span_of(const Request& request, const Document& document) {
  const auto size = static_cast<std::int64_t>(document.text.size());
  const std::int64_t begin = query_number(request, "begin", 0, size, 0);
  const std::int64_t end = query_number(request, "end", begin, size, size);
  for (const std::int64_t byte : {begin, end}) {
    if (is_character_start(document, byte)) continue;
    throw HttpError(400, "invalid_value",
                    fmt::format("byte {} of the text lies inside a character", byte),
                    byte == begin ? "begin" : "end");
  }
  return {begin, end};
}

Json pages_json(const Document& document) {
  Json pages = Json::array();
  if (document.report.pages == 0) return pages;
  for (const Page& page : document.pages) {
    pages.push_back({{"label", page.label},
                     {"width", page.width},
                     {"height", page.height},
                     {"text_begin", page.text.begin},
                     {"text_end", page.text.end}});
  }
  return pages;
}

// From 1, as people count; null in a document without pages.
Json page_number(const Document& document, std::int32_t page) {
  return document.report.pages == 0 ? Json(nullptr) : Json(page + 1);
}

Json clauses_json(const Document& document) {
  Json clauses = Json::array();
  for (const Clause& clause : document.clauses) {
    clauses.push_back({{"kind", json::name_of(clause.kind)},
                       {"parent", clause.parent},
                       {"depth", clause.depth},
                       {"number", clause.number},
                       {"label", clause.label},
                       {"heading", clause.heading},
                       {"text_begin", clause.text.begin},
                       {"text_end", clause.text.end},
                       {"own_text_end", clause.own_text.end},
                       {"first_page", page_number(document, clause.first_page)},
                       {"last_page", page_number(document, clause.last_page)}});
  }
  return clauses;
}

Json document_json(const std::string& id, const Document& document) {
  return {{"id", id},
          {"name", document.name},
          {"type", name_of(document.type)},
          {"content_hash", document.content_hash},
          {"characters", document.report.characters},
          {"pages", pages_json(document)},
          {"clauses", clauses_json(document)},
          {"report", report_json(document)}};
}

Json definitions_json(const Document& document) {
  const std::vector<Definition> definitions = find_definitions(document);
  return {{"definitions", json::definitions_json(document, definitions)},
          {"undefined_terms",
           json::undefined_json(document, find_undefined_terms(document, definitions))}};
}

// Clauses stand beside their names as indices too, since two may have one name.
Json references_json(const Document& document) {
  const std::vector<Reference> references = find_references(document);
  Json list = json::references_json(document, references);
  for (std::size_t i = 0; i < references.size(); ++i) {
    list[i]["clause_index"] = references[i].clause;
    list[i]["target_indices"] = references[i].targets;
  }
  return {{"references", std::move(list)}};
}

Json boxes_json(const Document& document, Span span) {
  Json boxes = Json::array();
  for (const auto& [page, box] : document.boxes_of(span)) {
    boxes.push_back({{"page", page_number(document, page)},
                     {"left", box.left},
                     {"top", box.top},
                     {"right", box.right},
                     {"bottom", box.bottom}});
  }
  return {{"boxes", std::move(boxes)}};
}

void send_text(const ExchangePtr& exchange, const Document& document) {
  const Span span = span_of(exchange->request(), document);
  Response response;
  response.type = "text/plain; charset=utf-8";
  response.body = document.slice(span);
  exchange->send(std::move(response));
}

void send_picture(const ExchangePtr& exchange, const Document& document) {
  const Request& request = exchange->request();
  const auto pages = static_cast<std::int64_t>(document.report.pages);
  if (document.type != DocumentType::pdf || pages == 0) {
    throw HttpError(404, "no_pages", document.name + " has no pages to be shown: it is no PDF");
  }
  const std::int64_t page = whole_number(request.capture("n"), "n", 1, pages);
  const auto dots =
      static_cast<int>(query_number(request, "dpi", kFewestDots, kMostDots, kDotsPerInch));
  Response response;
  response.type = "image/png";
  // The same bytes of the file, page and size give the same picture.
  const std::string tag =
      fmt::format("\"{}-{}-{}\"", document.content_hash.substr(0, 24), page, dots);
  response.headers = {{"ETag", tag}, {"Cache-Control", "private, max-age=3600"}};
  if (request.header("if-none-match") == tag) {
    response.status = 304;
    return exchange->send(std::move(response));
  }
  if (content_hash_of_file(document.path) != document.content_hash) {
    throw HttpError(409, "file_changed",
                    document.name + " is gone or has other bytes than were read");
  }
  ReadDocumentOptions options;
  options.stop = exchange->stop();
  response.body =
      png_of(render_page(document.path, static_cast<std::int32_t>(page - 1), dots, options));
  exchange->send(std::move(response));
}

}  // namespace

void add_document_routes(Router& router, Service& service) {
  DocumentShelf& shelf = service.documents();
  using Answer = std::function<void(const ExchangePtr&, const Document&)>;
  const auto add = [&](std::string_view rest, Answer answer) {
    router.add("GET", "/v1/documents/{id}" + std::string(rest),
               [&shelf, answer = std::move(answer)](const ExchangePtr& exchange) {
                 const DocumentPtr document = shelf.document(exchange->request().capture("id"));
                 answer(exchange, *document);
               });
  };
  add("", [](const ExchangePtr& exchange, const Document& document) {
    exchange->send_json(document_json(exchange->request().capture("id"), document));
  });
  add("/text", send_text);
  add("/clauses", [](const ExchangePtr& exchange, const Document& document) {
    exchange->send_json({{"clauses", clauses_json(document)}});
  });
  add("/definitions", [](const ExchangePtr& exchange, const Document& document) {
    exchange->send_json(definitions_json(document));
  });
  add("/references", [](const ExchangePtr& exchange, const Document& document) {
    exchange->send_json(references_json(document));
  });
  add("/boxes", [](const ExchangePtr& exchange, const Document& document) {
    exchange->send_json(boxes_json(document, span_of(exchange->request(), document)));
  });
  add("/pages/{n}.png", send_picture);
}

}  // namespace whereof::server
