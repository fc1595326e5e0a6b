// The daemon's configuration: a main file, and what it includes, hosts, environment and --set, each
// behind a line with a form feed. Whatever the bytes are: problems have places within their texts,
// what is read has no error in it, and the same bytes read the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/daemon_config/read_config.h"
#include "runtime/base/limits.h"

namespace pmjit {
namespace {

// Every path is the same file, every glob matches two.
class FuzzFiles final : public ConfigFiles {
 public:
  FuzzFiles(std::string main, std::string other)
      : main_(std::move(main)), other_(std::move(other)) {}

  [[nodiscard]] Result<std::string> read(const std::string& path, size_t bytes_max) const override {
    const std::string& text = path == "main.toml" ? main_ : other_;
    if (text.size() > bytes_max) return fail(Fault::limit, "too long");
    return text;
  }
  [[nodiscard]] bool can_read(const std::string& path) const override { return path.size() != 3; }
  [[nodiscard]] std::vector<std::string> matching(const std::string& pattern) const override {
    if (pattern.size() % 3 == 0) return {};
    return {"a", "b"};
  }

 private:
  std::string main_, other_;
};

std::vector<std::string> parts_of(std::string_view text, char between) {
  std::vector<std::string> out;
  while (true) {
    const size_t at = std::min(text.find(between), text.size());
    out.emplace_back(text.substr(0, at));
    if (at == text.size()) return out;
    text.remove_prefix(at + 1);
  }
}

void check_problems(const ConfigProblems& problems) {
  for (const ConfigProblem& problem : problems.all()) {
    const std::string& text = problems.source(problem.place.source).text;
    check(problem.place.span.begin <= problem.place.span.end, "a place has an order");
    check(problem.place.span.end <= text.size(), "a place is within its text");
    check(!problem.message.empty(), "a problem says what it is");
  }
  check(problems.all().empty() == problems.text().empty(), "a problem is told");
}

void check_config(const DaemonConfig& config) {
  check(config.hosts.size() <= limits::kListedHostsMax, "hosts are bounded");
  check(config.fetch.connections >= 1 && config.fetch.connections <= 100'000, "a range holds");
  for (const ConfigHost& host : config.hosts) check(!host.spec.empty(), "a host can be reached");
  for (const RulesBlock& rules : config.rules) {
    for (const uint32_t id : rules.host_ids) check(id < config.hosts.size(), "a host is there");
    (void)rules.has_rule("cpu.busy");
    (void)rules.alert_of("cpu.busy");
  }
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  auto parts = parts_of({reinterpret_cast<const char*>(bytes), size}, '\f');
  parts.resize(4);
  const FuzzFiles files(parts[0], parts[1]);
  const ConfigInput input{
      .path = "main.toml",
      .environment = parts_of(parts[2], '\n'),
      .set = parts[3].empty() ? std::vector<std::string>{} : parts_of(parts[3], '\n')};
  ConfigRead read = read_config(input, files);
  check_problems(read.problems);
  if (!read.problems.has_errors()) check_config(read.config);
  ConfigRead again = read_config(input, files);
  check(again.problems.text() == read.problems.text(), "the same bytes have the same problems");
  restart_problems(read.config, again.config, again.problems);
  check(again.problems.all().size() == read.problems.all().size(), "nothing has changed");
  return 0;
}
