// whereof: the program. The answer goes to standard output, everything else to standard error.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "commands.h"
#include "exit_codes.h"
#include "interruption.h"
#include "terminal.h"
#include "whereof/error.h"

namespace whereof::cli {
namespace {

constexpr const char* kExitCodes =
    "\nExit codes: 0 answered, 1 failed, 2 usage, 3 no basis found, 65 bad document,\n"
    "66 not found, 69 no model, 74 input or output, 130 interrupted.\n";

int say(int code, std::string_view message) {
  fmt::print(stderr, "whereof: {}\n", shown(message));
  return code;
}

int finish(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno == EPIPE) return kInputOutput;  // the reader had enough: "whereof clauses x | head"
  return say(kInputOutput, fmt::format("cannot write the output: {}", std::strerror(errno)));
}

int run(int argc, char** argv) {
  Chosen chosen;
  chosen.stop = watch_for_interruption();
  CLI::App program("Answers questions about long documents, with the clauses they were read from");
  program.name("whereof");
  program.set_version_flag("--version", "whereof " WHEREOF_VERSION);
  program.require_subcommand(1);
  program.footer(kExitCodes);
  add_ask(program, chosen);
  add_why(program, chosen);
  add_text(program, chosen);
  add_clauses(program, chosen);
  add_plan(program, chosen);
  add_eval(program, chosen);
  add_calibrate(program, chosen);
  add_read(program, chosen);
  add_library(program, chosen);
  add_serve(program, chosen);
  add_add(program, chosen);
  add_find(program, chosen);
  add_monitor(program, chosen);
  add_selfcheck(program, chosen);
  add_lab(program, chosen);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return finish(program.exit(success));
  } catch (const CLI::ParseError& error) {
    program.exit(error);
    return kUsage;
  }
  return finish(chosen.run());
}

}  // namespace
}  // namespace whereof::cli

int main(int argc, char** argv) {
  using namespace whereof;
  try {
    return cli::run(argc, argv);
  } catch (const Error& error) {
    return cli::say(cli::exit_code_of(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return cli::say(cli::kFailed, "out of memory");
  } catch (const std::exception& error) {
    return cli::say(cli::kFailed, error.what());
  }
}
