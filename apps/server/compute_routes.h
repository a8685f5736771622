// The routes that ask a model, and what they share.
#ifndef WHEREOF_SERVER_COMPUTE_ROUTES_H_
#define WHEREOF_SERVER_COMPUTE_ROUTES_H_

#include <memory>
#include <string>

#include "answer_desk.h"
#include "router.h"
#include "service.h"

namespace whereof::server {

// Whose turn it is in the queue: the "user" of a request, as far as it is given, at its address.
std::string client_of(const Request& request, const std::string& user);

// All of the following, over one desk, which their handlers own: jobs refer to it, since a job
// that owned it could be the one to end it.
void add_compute_routes(Router& router, Service& service);

void add_ask_routes(Router& router, std::shared_ptr<AnswerDesk> desk);
void add_document_job_routes(Router& router, std::shared_ptr<AnswerDesk> desk);
void add_chat_routes(Router& router, std::shared_ptr<AnswerDesk> desk);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_COMPUTE_ROUTES_H_
