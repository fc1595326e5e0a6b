// The verbs of pmjit that are about rules; rules/cmd/main.cc registers them.
#pragma once

namespace CLI {
class App;
}

namespace pmjit {

void add_run(CLI::App& app, int& status);
void add_test(CLI::App& app, int& status);
// Below `explain`.
void add_why(CLI::App& explain, int& status);
void add_how(CLI::App& explain, int& status);

}  // namespace pmjit
