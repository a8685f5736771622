// The subcommands. Each file adds one to the program and runs it.
#ifndef WHEREOF_CLI_COMMANDS_H_
#define WHEREOF_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <stop_token>

namespace whereof::cli {

// What the chosen subcommand will do; returns the exit code. Set while the arguments are parsed.
struct Chosen {
  std::stop_token stop;
  std::function<int()> run;
};

void add_add(CLI::App& program, Chosen& chosen);
void add_ask(CLI::App& program, Chosen& chosen);
void add_calibrate(CLI::App& program, Chosen& chosen);
void add_clauses(CLI::App& program, Chosen& chosen);
void add_plan(CLI::App& program, Chosen& chosen);
void add_eval(CLI::App& program, Chosen& chosen);
void add_text(CLI::App& program, Chosen& chosen);
void add_find(CLI::App& program, Chosen& chosen);
void add_serve(CLI::App& program, Chosen& chosen);
void add_read(CLI::App& program, Chosen& chosen);
void add_library(CLI::App& program, Chosen& chosen);
void add_why(CLI::App& program, Chosen& chosen);
void add_lab(CLI::App& program, Chosen& chosen);
void add_monitor(CLI::App& program, Chosen& chosen);
void add_selfcheck(CLI::App& program, Chosen& chosen);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_COMMANDS_H_
