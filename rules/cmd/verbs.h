// The verbs of pmjit that are about rules; rules/cmd/main.cc registers them.
#pragma once

namespace CLI {
class App;
}

namespace pmjit {

class Clock;

void add_run(CLI::App& app, int& status, const Clock& clock);
void add_test(CLI::App& app, int& status);
// Below `explain`.
void add_why(CLI::App& explain, int& status, const Clock& clock);
void add_how(CLI::App& explain, int& status, const Clock& clock);

}  // namespace pmjit
