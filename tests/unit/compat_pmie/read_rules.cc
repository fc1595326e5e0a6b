// read_rules [-t] ARCHIVE,… FILE…: what the reader of rules says (standard error), and the listing
// of what it read (standard output), for comparison with pmie's.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "compiler/compat/pmie/list.h"
#include "compiler/compat/pmie/rule_reader.h"
#include "tests/unit/compat_pmie/archive_metrics.h"

namespace {

struct ToStandardError : pmjit::pmie::RuleReader::Messages {
  void put(std::string_view text) override { fmt::print(stderr, "{}", text); }
  void log(std::string_view severity, std::string_view text) override {
    fmt::print(stderr, "[DATE] pmie(PID) {}: {}\n", severity, text);
  }
};

}  // namespace

int main(int argc, char** argv) {
  pmjit::pmie::ArchiveMetrics metrics;
  std::istringstream archives(argc > 1 ? argv[1] : "");
  for (std::string name; std::getline(archives, name, ',');)
    if (auto added = metrics.add(name); !added) {
      fmt::print(stderr, "{}\n", added.error().text());
      return 2;
    }
  ToStandardError messages;
  pmjit::pmie::RuleReader reader(metrics, messages, {});
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i]);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    if (auto read = reader.read(text, argv[i]); !read) {
      fmt::print(stderr, "{}\n", read.error().what());
      return 1;
    }
  }
  for (const auto& statement : reader.program().statements)
    fmt::print("{} =\n{};\n\n", statement.name,
               pmjit::pmie::list(reader.program(), statement.root, metrics));
  return reader.last_failed() ? 1 : 0;
}
