#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/compat/pmie/statement_reader.h"
#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

// Keeps what is said of a fetch, for who watches.
class Overheard final : public RuleReader::Messages {
 public:
  explicit Overheard(RuleReader::Messages& to) : to_(to) {}
  void put(std::string_view text) override {
    heard += text;
    to_.put(text);
  }
  void log(std::string_view severity, std::string_view text) override {
    heard += text;
    to_.log(severity, text);
  }
  void absent(const AbsentMetric& metric) override {
    heard += metric.text;
    to_.absent(metric);
  }
  void absent_instance(const AbsentInstance& instance) override {
    heard += instance.text;
    to_.absent_instance(instance);
  }
  std::string heard;

 private:
  RuleReader::Messages& to_;
};

// As if every metric had one value: what a text shows without anybody who knows metrics.
BoundFetch suppose_fetch(const WrittenFetch& written) {
  BoundFetch bound{.fetch = {.name = written.name}};
  const size_t hosts = std::max<size_t>(written.hosts.size(), 1);
  const size_t each = std::max<size_t>(written.instances.size(), 1);
  Fetch& fetch = bound.fetch;
  fetch.supposed = true;
  fetch.hosts_written = !written.hosts.empty();
  fetch.instances_listed = !written.instances.empty();
  HostMetric metric{.desc = {.pm_type = pm_type::f64, .semantics = Semantics::instant}};
  if (fetch.instances_listed) {
    InstanceList list;
    for (const std::string& name : written.instances) list.instances.push_back({-1, name});
    metric.list = std::make_shared<const InstanceList>(std::move(list));
  }
  fetch.hosts.assign(hosts, metric);
  bound.shape = {.hosts = static_cast<int32_t>(hosts), .insts = static_cast<int32_t>(hosts * each)};
  return bound;
}

struct RuleReader::State {
  State(RuleMetrics& world, Messages& said, const ReaderOptions& chosen)
      : metrics(world), messages(said), options(chosen), delta(chosen.delta) {}

  Result<void> read(std::string_view text, std::string_view name);
  Result<void> read_statement();
  void name_statement(const PmieStatementReader& statement, uint32_t root, const Inputs& place);
  void define(const std::string& name, const PmieNode& constant, const Inputs& place);
  [[nodiscard]] size_t line_of_statement();
  Result<std::optional<uint32_t>> fetch(const WrittenFetch& written);
  void tell(Span where, std::string_view text);
  void say(const Inputs& place, std::string_view severity, const std::string& text);

  RuleMetrics& metrics;
  Messages& messages;
  ReaderOptions options;
  Watcher* watcher = nullptr;
  bool told = false;     // of the statement that is read
  std::string taken_by;  // where the rule is that has its name
  bool taken_elsewhere = false;
  Span name_span;  // of it
  double delta;
  PmieMacros macros;
  RuleProgram program;
  DomainLists lists;
  PmieScanner scanner{macros, options.program};
  Nodes nodes{program, [this](const std::string& text) { complain(text); }};
  std::function<void(const std::string&)> complain;
  std::optional<PmieStatement> complete;  // of the statement that is read
  // Of rules: the file and the line of each.
  struct NamedAt {
    std::string file;
    size_t line;
  };
  std::map<std::string, NamedAt, std::less<>> names;
  std::string_view written;  // the file that is read
  size_t line = 1;           // of `counted`, a place in it
  size_t counted = 0;
  MacroNames defined;
  std::optional<Error> refused;  // a setting
  std::string file;
  size_t definitions = 0;
  uint32_t unnamed = 0;
  uint32_t rules = 0;
  bool has_stomp = false;
  bool last_failed = false;
};

void RuleReader::State::say(const Inputs& from, std::string_view severity,
                            const std::string& text) {
  messages.put(scanner.location(from, severity));
  if (!text.empty()) messages.put(text + "\n");
}

Result<std::optional<uint32_t>> RuleReader::State::fetch(const WrittenFetch& written) {
  if (options.suppose) {
    BoundFetch supposed = suppose_fetch(written);
    set_samples(written, supposed.fetch);
    return nodes.fetch(std::move(supposed.fetch), supposed.shape);
  }
  Overheard overheard(messages);
  auto bound = look_up(written, metrics, lists, overheard, options.program);
  if (!bound) return fail(bound.error());
  if (!overheard.heard.empty()) tell(written.span, overheard.heard);
  if (!*bound) return std::nullopt;
  return nodes.fetch(std::move((*bound)->fetch), (*bound)->shape);
}

void RuleReader::State::tell(Span where, std::string_view text) {
  told = true;
  if (watcher != nullptr) watcher->told(Severity::error, where, text);
}

Result<void> RuleReader::State::read(std::string_view text, std::string_view name) {
  written = text;
  line = 1;
  counted = 0;
  if (text.size() > limits::kSourceBytesMax)
    return fail(Fault::limit, fmt::format("a rule file of {} bytes, more than {}", text.size(),
                                          limits::kSourceBytesMax));
  file = name.empty() ? "<stdin>" : name;
  scanner.open(text, name);
  while (!scanner.at_end())
    if (auto done = read_statement(); !done) return done;
  if (watcher != nullptr && scanner.discarded()) watcher->discarded(*scanner.discarded());
  return {};
}

Result<void> RuleReader::State::read_statement() {
  const std::vector<ScannedToken> tokens = scanner.statement();
  nodes.begin_statement();
  last_failed = false;
  complete.reset();
  told = false;
  taken_by.clear();
  taken_elsewhere = false;
  const size_t defined_before = definitions;
  name_span = tokens.front().span;
  PmieStatementReader* reading = nullptr;
  const PmieStatementReader::World world{
      .nodes = nodes,
      .scanner = scanner,
      .messages = messages,
      .tell = [this](Span where, const std::string& text) { tell(where, text); },
      .fetch = [this](const WrittenFetch& written) { return fetch(written); },
      .complain = [this](const Inputs& from,
                         const std::string& text) { say(from, "syntax error", text); },
      .warn =
          [&](const std::string& text) {
            say(reading->reached(), "warning", text);
            if (watcher != nullptr) watcher->told(Severity::warning, reading->verb_span(), text);
          },
      .complete = [&](uint32_t root,
                      const Inputs& place) { name_statement(*reading, root, place); }};
  PmieStatementReader statement(world, tokens);
  reading = &statement;
  complain = [&](const std::string& text) { statement.complain(text); };
  if (auto read = statement.read(); !read) return read;
  if (refused) return fail(*refused);
  rules += statement.rules;
  has_stomp = has_stomp || statement.has_stomp;
  const bool installed = complete && !statement.failed && !statement.dropped;
  if (installed) program.statements.push_back(std::move(*complete));
  if (watcher != nullptr) {
    watcher->read(program, {.tokens = tokens,
                            .name = statement.name,
                            .first_node = nodes.begun(),
                            .defines = definitions != defined_before,
                            .installed = installed,
                            .taken_by = taken_by,
                            .mistaken = told,
                            .taken_elsewhere = taken_elsewhere});
  }
  if (!installed) nodes.undo_statement();
  last_failed = last_failed || statement.failed || statement.has_error;
  return {};
}

// A name that is taken stays with its first rule. One that an error made void is free again, but
// not where the error comes behind what was complete, nor where agents refuse the rule.
void RuleReader::State::name_statement(const PmieStatementReader& statement, uint32_t root,
                                       const Inputs& place) {
  const auto refuse = [&](const std::string& why) {
    last_failed = true;
    say(place, "syntax error", why);
    tell(name_span, why);
  };
  if (options.agent && statement.name.empty())
    return refuse("expressions must be named in agent mode");
  const std::string name =
      statement.name.empty() ? fmt::format("expr_{}", ++unnamed) : statement.name;
  if (nodes.is_constant(root)) return define(name, nodes.at(root), place);
  if (const auto first = names.find(name); first != names.end()) {
    taken_by = fmt::format("{}:{}", first->second.file, first->second.line);
    taken_elsewhere = first->second.file != file;
    return refuse(fmt::format("rule \"{}\" multiply defined", name));
  }
  if (statement.failed) return;
  names.emplace(name, NamedAt{file, line_of_statement()});
  const PmieOp op = nodes.at(root).op;
  const bool acts = op == PmieOp::rule || kind_of(op) == OpKind::action;
  if ((options.agent || options.applet) && !statement.name.empty() && acts)
    return refuse(fmt::format("operator {} not allowed in agent mode", symbol_of(op)));
  if (options.takes && !options.takes(name)) return;
  complete = PmieStatement{.name = name, .root = root, .delta = delta, .file = file};
}

// Statements come in the order of the text, so each line is counted once.
size_t RuleReader::State::line_of_statement() {
  const size_t at = std::min<size_t>(name_span.begin, written.size());
  if (at > counted) {
    line += static_cast<size_t>(std::ranges::count(written.substr(counted, at - counted), '\n'));
    counted = at;
  }
  return line;
}

// An interval that is none would never let a rule be evaluated: refused (spec Q23).
void RuleReader::State::define(const std::string& name, const PmieNode& constant,
                               const Inputs& place) {
  PmieMacro macro{.sem = constant.sem,
                  .number = constant.number,
                  .units = constant.meant_units.value_or(constant.units.value_or(Units{})),
                  .text = constant.text};
  if (const auto setting = options.settings.find(name); setting != options.settings.end()) {
    auto value = set_macro(name, setting->second, macro);
    if (!value) return void(refused = value.error().at("file", file));
    macro = *std::move(value);
  }
  if (name == name_of(Variable::delta)) {
    if (macro.sem != Sem::number || !(macro.number > 0)) {
      constexpr std::string_view kWhy =
          "delta must be a number of seconds above 0, as in: delta = 2 min;";
      last_failed = true;
      say(place, "syntax error", std::string(kWhy));
      tell(name_span, kWhy);
      return;
    }
    delta = macro.number;
  }
  ++definitions;
  defined.insert(name);
  macros.define(name, std::move(macro));
}

// Instances that were listed before may have gone. What a metric has had values for begins anew
// with it.
std::vector<uint32_t> bind_waiting(RuleProgram& program, RuleMetrics& metrics) {
  Nodes nodes(program, [](const std::string&) {});
  std::vector<uint32_t> changed;
  std::vector<bool> found(program.fetches.size()), had_values(found);
  DomainLists now;
  for (size_t i = 0; i < found.size(); ++i) {
    Fetch& fetch = program.fetches[i];
    had_values[i] = !fetch.waits();
    found[i] = look_up_again(fetch, metrics, now);
  }
  std::vector<bool> anew(program.nodes.size());
  for (const PmieStatement& statement : program.statements) {
    const uint32_t first = program.nodes[statement.root].first;
    const size_t before = changed.size();
    for (uint32_t i = first; i <= statement.root; ++i) {
      const PmieNode& node = program.nodes[i];
      const auto above_one = [&](uint32_t operand) { return operand != kNone && anew[operand]; };
      const bool fetches = node.fetch != kNone && found[node.fetch];
      anew[i] =
          (fetches && had_values[node.fetch]) || above_one(node.left) || above_one(node.right);
      if (fetches || anew[i]) changed.push_back(i);
    }
    if (changed.size() == before) continue;
    const auto users = nodes.settle_again(first, statement.root);
    changed.insert(changed.end(), users.begin(), users.end());
  }
  return changed;
}

RuleReader::RuleReader(RuleMetrics& metrics, Messages& messages, const ReaderOptions& options)
    : state_(std::make_unique<State>(metrics, messages, options)) {}
RuleReader::~RuleReader() = default;

Result<void> RuleReader::read(std::string_view text, std::string_view name) {
  return state_->read(text, name);
}
void RuleReader::watch(Watcher* watcher) { state_->watcher = watcher; }
bool RuleReader::last_failed() const { return state_->last_failed; }
bool RuleReader::has_stomp() const { return state_->has_stomp; }
uint32_t RuleReader::rules() const { return state_->rules; }
const RuleProgram& RuleReader::program() const { return state_->program; }
std::vector<uint32_t> RuleReader::bind_waiting() {
  return pmie::bind_waiting(state_->program, state_->metrics);
}
const MacroNames& RuleReader::defined() const { return state_->defined; }
const PmieMacro* RuleReader::macro(std::string_view name) const {
  return state_->macros.find(name);
}

}  // namespace pmjit::pmie
