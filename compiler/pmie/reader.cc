#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compiler/pmie/rule_reader.h"
#include "compiler/pmie/statement_reader.h"
#include "runtime/base/limits.h"

namespace pmjit::pmie {

struct RuleReader::State {
  State(RuleMetrics& world, Messages& said, const ReaderOptions& chosen)
      : metrics(world), messages(said), options(chosen), delta(chosen.delta) {}

  Result<void> read(std::string_view text, std::string_view name);
  Result<void> read_statement();
  void install(const StatementReader& statement, const std::string& name);
  void define(const std::string& name, const Node& constant);
  Result<std::optional<uint32_t>> fetch(const WrittenFetch& written);
  void say(const Inputs& place, std::string_view severity, const std::string& text);

  RuleMetrics& metrics;
  Messages& messages;
  ReaderOptions options;
  double delta;
  Macros macros;
  RuleProgram program;
  Scanner scanner{macros, options.program};
  Inputs place;  // how far the last statement was read
  Nodes nodes{program, [this](const std::string& text) { complain(text); }};
  std::function<void(const std::string&)> complain;
  std::set<std::string, std::less<>> names;
  std::string file;
  uint32_t unnamed = 0;
  uint32_t rules = 0;
  bool last_failed = false;
};

void RuleReader::State::say(const Inputs& from, std::string_view severity,
                            const std::string& text) {
  messages.put(scanner.location(from, severity));
  if (!text.empty()) messages.put(text + "\n");
}

Result<std::optional<uint32_t>> RuleReader::State::fetch(const WrittenFetch& written) {
  auto bound = look_up(written, metrics, messages, options.program);
  if (!bound) return fail(bound.error());
  if (!*bound) return std::nullopt;
  return nodes.fetch(std::move((*bound)->fetch), (*bound)->shape);
}

Result<void> RuleReader::State::read(std::string_view text, std::string_view name) {
  if (text.size() > limits::kSourceBytesMax)
    return fail(Fault::limit, fmt::format("a rule file of {} bytes, more than {}", text.size(),
                                          limits::kSourceBytesMax));
  file = name.empty() ? "<stdin>" : name;
  scanner.open(text, name);
  while (!scanner.at_end())
    if (auto done = read_statement(); !done) return done;
  return {};
}

Result<void> RuleReader::State::read_statement() {
  const std::vector<ScannedToken> tokens = scanner.statement();
  nodes.begin_statement();
  last_failed = false;
  const StatementReader::World world{
      .nodes = nodes,
      .scanner = scanner,
      .messages = messages,
      .fetch = [this](const WrittenFetch& written) { return fetch(written); },
      .complain = [this](const Inputs& from,
                         const std::string& text) { say(from, "syntax error", text); },
      .warn = [](const std::string&) {},
      .agent = options.agent};
  StatementReader statement(world, tokens);
  complain = [&](const std::string& text) { statement.complain(text); };
  if (auto read = statement.read(); !read) return read;
  rules += statement.rules;
  if (!statement.root) {
    nodes.undo_statement();
  } else {
    const std::string name =
        statement.name.empty() ? fmt::format("expr_{}", ++unnamed) : statement.name;
    if (statement.failed || statement.dropped)
      nodes.undo_statement();
    else
      install(statement, name);
  }
  last_failed = statement.failed;
  return {};
}

void RuleReader::State::install(const StatementReader& statement, const std::string& name) {
  const Node& root = nodes.at(*statement.root);
  if (root.op == Op::constant) {
    define(name, root);
    nodes.undo_statement();
    return;
  }
  names.insert(name);
  program.statements.push_back(
      {.name = name, .root = *statement.root, .delta = delta, .file = file});
}

void RuleReader::State::define(const std::string& name, const Node& constant) {
  if (name == "delta" && constant.sem == Sem::number) delta = constant.number;
  macros.define(name, {.sem = constant.sem, .number = constant.number, .text = constant.text});
}

RuleReader::RuleReader(RuleMetrics& metrics, Messages& messages, const ReaderOptions& options)
    : state_(std::make_unique<State>(metrics, messages, options)) {}
RuleReader::~RuleReader() = default;

Result<void> RuleReader::read(std::string_view text, std::string_view name) {
  return state_->read(text, name);
}
bool RuleReader::last_failed() const { return state_->last_failed; }
uint32_t RuleReader::rules() const { return state_->rules; }
const RuleProgram& RuleReader::program() const { return state_->program; }

}  // namespace pmjit::pmie
