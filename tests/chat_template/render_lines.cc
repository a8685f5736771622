// Renders templates for compare_with_jinja.py: a line of JSON {"template", "variables"} in, a line
// {"text"} or {"error"} out.
#include <iostream>
#include <string>

#include "chat_template/json_values.h"
#include "whereof/error.h"

int main() {
  using namespace whereof;
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = tests::Json::parse(line);
    tests::Json answer;
    try {
      const auto text = tests::render(request["template"].get<std::string>(), request["variables"]);
      answer["text"] = text.bytes();
    } catch (const Error& error) {
      answer["error"] = std::string(name_of(error.kind())) + ": " + error.what();
    }
    std::cout << answer.dump(-1, ' ', true, tests::Json::error_handler_t::replace) << std::endl;
  }
}
