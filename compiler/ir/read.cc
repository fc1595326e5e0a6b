#include "compiler/ir/read.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/numbers.h"
#include "runtime/base/limits.h"
#include "runtime/text/parse_units.h"

namespace pmjit {

namespace {

// Words: one line of the text form, word by word. Nothing here knows what the words mean.
//
//   Words line("%1 = rate %0 : f64 instant");
//   line.take("%")  line.number()  line.take(" = ")  line.word() …
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  [[nodiscard]] bool done() const { return at_ == line_.size(); }
  [[nodiscard]] size_t column() const { return at_ + 1; }
  [[nodiscard]] bool next_is(std::string_view text) const { return rest().starts_with(text); }
  // Goes on behind `text` if it is what comes next.
  [[nodiscard]] bool take(std::string_view text);
  std::string_view word();                          // up to a space or the end
  [[nodiscard]] std::optional<uint32_t> number();   // decimal digits
  [[nodiscard]] std::optional<std::string> name();  // a word, or quoted text
  // Everything before the first of ` over `, ` hosts `, ` window ` or the end.
  std::string_view before_axes();

 private:
  [[nodiscard]] std::string_view rest() const { return line_.substr(at_); }
  std::string_view line_;
  size_t at_ = 0;
};

// Each read_ function returns whether it understood; the first that did not has said what it
// expected.
class IrReader {
 public:
  bool read_line(std::string_view line);
  [[nodiscard]] Ir take_ir() { return std::move(ir_); }
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] size_t column() const { return words_.column(); }

 private:
  bool wrong(std::string_view expected) {
    if (expected_.empty()) expected_ = expected;
    return false;
  }
  bool need(std::string_view text) { return words_.take(text) || wrong(fmt::format("`{}`", text)); }
  bool read_metric(Operand& operand);
  bool read_metric_ref(uint32_t& number);
  bool read_operand();
  bool read_derived();
  bool read_node();
  bool read_root();
  bool read_payload_before(Node& node, std::string_view& number);
  bool read_payload_after(Node& node, std::string_view& number);
  bool read_number(Node& node, Elem elem, std::string_view number);
  bool read_node_ref(NodeId& id);
  bool read_type(Type& type);
  bool read_semantics_and_units(Semantics& semantics, Units& units);
  bool read_units(Units& units);
  bool read_axes(Axes& axes);
  bool read_id(uint32_t& id, int parts);

  Words words_{""};
  std::string expected_;
  Ir ir_;
  std::map<std::pair<std::string, Between>, uint32_t> metrics_;
  std::map<std::string, uint32_t, std::less<>> texts_, derived_;
};

bool IrReader::read_line(std::string_view line) {
  words_ = Words(line);
  if (line.empty()) return true;
  bool understood = false;
  if (words_.next_is("%")) {
    understood = read_node();
  } else if (words_.take("operand ")) {
    understood = read_operand();
  } else if (words_.take("derived ")) {
    understood = read_derived();
  } else if (words_.take("root ")) {
    understood = read_root();
  } else {
    return wrong("`operand`, `derived`, `%N =` or `root`");
  }
  return understood && (words_.done() || wrong("the end of the line"));
}

bool IrReader::read_metric(Operand& operand) {
  if (words_.take("pcp:")) operand.between = Between::as_pcp;
  const auto name = words_.name();
  if (!name) return wrong("a metric name");
  operand.metric = *name;
  return true;
}

// A metric that has a line.
bool IrReader::read_metric_ref(uint32_t& number) {
  Operand operand;
  if (!read_metric(operand)) return false;
  const auto found = metrics_.find({operand.metric, operand.between});
  if (found == metrics_.end()) return wrong("a metric of an `operand` line");
  number = found->second;
  return true;
}

bool IrReader::read_operand() {
  Operand operand;
  if (!read_metric(operand)) return false;
  if (!metrics_.try_emplace({operand.metric, operand.between}, ir_.operands.size()).second)
    return wrong("a metric not named before");
  if (!need(" : ") || !read_id(operand.desc.pmid, 3) || !need(" type ")) return false;
  const auto type = words_.number();
  if (!type || *type > INT16_MAX) return wrong("a PM_TYPE number");
  operand.desc.pm_type = static_cast<int>(*type);
  Axes axes;
  if (!need(" ") || !read_semantics_and_units(operand.desc.semantics, operand.desc.units) ||
      !read_axes(axes)) {
    return false;
  }
  operand.desc.indom = axes.domain;
  ir_.operands.add(std::move(operand));
  return true;
}

bool IrReader::read_derived() {
  DerivedExpression derived;
  const auto name = words_.name();
  if (!name) return wrong("a name");
  derived.name = *name;
  const auto number = static_cast<uint32_t>(ir_.derived.size());
  if (!derived_.emplace(*name, number).second) return wrong("a name not used before");
  if (!need(" ")) return false;
  derived.dialect = words_.word();
  if (derived.dialect.empty()) return wrong("a dialect");
  if (!need(" ")) return false;
  const auto text = words_.name();
  if (!text) return wrong("an expression in quotes");
  derived.text = *text;
  while (words_.take(" ")) {
    OperandId operand;
    if (!read_metric_ref(operand.index)) return false;
    derived.operands.push_back(operand);
  }
  ir_.derived.push_back(std::move(derived));
  return true;
}

bool IrReader::read_node() {
  Node node;
  const std::string label = fmt::format("%{} = ", ir_.nodes.size());
  if (!need(label)) return false;
  const std::string_view name = words_.word();
  const auto ops = all_ops();
  const auto row =
      std::find_if(ops.begin(), ops.end(), [&](const OpInfo& o) { return o.name == name; });
  if (row == ops.end()) return wrong("an operator");
  node.op = static_cast<Op>(row - ops.begin());

  std::string_view number;
  if (!read_payload_before(node, number)) return false;
  std::vector<NodeId> args(arity_of(node));
  for (NodeId& arg : args) {
    if (!need(" ") || !read_node_ref(arg)) return false;
  }
  if (!read_payload_after(node, number)) return false;
  Type type;
  if (!need(" : ") || !read_type(type)) return false;
  const Elem elem = payload_of(node.op) == Payload::divisor ? Elem::f64 : type.elem;
  if (!number.empty() && !read_number(node, elem, number)) return false;
  node.type_id = ir_.intern(type);
  ir_.add(node, args);
  return true;
}

bool IrReader::read_root() {
  NodeId root;
  if (!read_node_ref(root)) return false;
  ir_.roots.push_back(root);
  return true;
}

// Of which element the number is stands behind it, in the type.
bool IrReader::read_payload_before(Node& node, std::string_view& number) {
  const Payload payload = payload_of(node.op);
  if (payload == Payload::number) {
    if (!need(" ")) return false;
    number = words_.word();
    return !number.empty() || wrong("a number");
  }
  const bool named =
      payload == Payload::operand || payload == Payload::text || payload == Payload::derived;
  if (!named && payload != Payload::arity) return true;
  if (!need(" ")) return false;
  if (payload == Payload::arity) {
    const auto count = words_.number();
    if (!count || *count > limits::kHostsMax) return wrong("a number of operands");
    node.payload = *count;
    return true;
  }
  if (payload == Payload::operand) {
    uint32_t operand = 0;
    if (!read_metric_ref(operand)) return false;
    node.payload = operand;
    return true;
  }
  const auto name = words_.name();
  if (!name) return wrong("a name");
  if (payload == Payload::derived) {
    const auto found = derived_.find(*name);
    if (found == derived_.end()) return wrong("a name of a `derived` line");
    node.payload = found->second;
    return true;
  }
  const auto [found, added] = texts_.emplace(*name, ir_.texts.size());
  if (added) ir_.texts.push_back(*name);
  node.payload = found->second;
  return true;
}

bool IrReader::read_payload_after(Node& node, std::string_view& number) {
  const Payload payload = payload_of(node.op);
  if (payload == Payload::wrap) node.payload = words_.take(" wrap") ? 1 : 0;
  if (payload != Payload::factor && payload != Payload::divisor && payload != Payload::share) {
    return true;
  }
  if (!need(" by ")) return false;
  if (payload == Payload::share) {
    const auto percent = words_.number();
    if (!percent) return wrong("a percentage");
    node.payload = *percent;
    return need("%");
  }
  number = words_.word();
  return !number.empty() || wrong("a number");
}

bool IrReader::read_number(Node& node, Elem elem, std::string_view number) {
  const auto bits = number_from_text(elem, number);
  if (!bits) return wrong(fmt::format("a constant of {}, not `{}`", elem_text(elem), number));
  node.payload = *bits;
  return true;
}

bool IrReader::read_node_ref(NodeId& id) {
  if (!need("%")) return false;
  const auto index = words_.number();
  if (!index || *index >= ir_.nodes.size()) return wrong("the number of an earlier node");
  id = NodeId{{*index}};
  return true;
}

bool IrReader::read_type(Type& type) {
  const auto elem = elem_from_text(words_.word());
  if (!elem) return wrong("an element type");
  type.elem = *elem;
  return need(" ") && read_semantics_and_units(type.semantics, type.units) && read_axes(type.axes);
}

bool IrReader::read_semantics_and_units(Semantics& semantics, Units& units) {
  const std::string_view word = words_.word();
  for (const Semantics s : {Semantics::counter, Semantics::instant, Semantics::discrete}) {
    if (word != semantics_text(s)) continue;
    semantics = s;
    return read_units(units);
  }
  return wrong("counter, instant or discrete");
}

bool IrReader::read_units(Units& units) {
  std::string_view text = words_.before_axes();
  if (text.empty()) return true;
  if (!text.starts_with(' ')) return wrong("a space");
  text.remove_prefix(1);
  if (const auto word = bits_from_text(text); word && *word <= UINT32_MAX) {
    units = units_from_word(static_cast<uint32_t>(*word), ExtraUnits::known);
    return true;
  }
  const auto parsed = parse_units(text, ExtraUnits::known);
  if (!parsed || parsed->multiplier != 1) return wrong("units");
  units = parsed->units;
  return true;
}

bool IrReader::read_axes(Axes& axes) {
  if (words_.take(" over ") && !read_id(axes.domain, 2)) return false;
  if (words_.take(" hosts ")) {
    const auto hosts = words_.number();
    if (!hosts) return wrong("the number of a host set");
    axes.host_set = *hosts;
  }
  if (words_.take(" window ")) {
    const auto window = words_.number();
    if (!window) return wrong("the number of a window");
    axes.window = *window;
  }
  return true;
}

// 60.0.4 of a metric, 60.1 of a domain, or # and the whole word in hex.
bool IrReader::read_id(uint32_t& id, int parts) {
  static constexpr uint32_t kMetric[] = {0x1ff, 0xfff, 0x3ff}, kDomain[] = {0x1ff, 0x3fffff};
  if (words_.next_is("#")) {
    const auto bits = bits_from_text(words_.word());
    if (!bits || *bits > UINT32_MAX) return wrong("an identifier");
    id = static_cast<uint32_t>(*bits);
    return true;
  }
  id = 0;
  for (int i = 0; i < parts; ++i) {
    const uint32_t max = parts == 3 ? kMetric[i] : kDomain[i];
    if (i > 0 && !need(".")) return false;
    const auto part = words_.number();
    if (!part || *part > max) return wrong("an identifier");
    id = id * (max + 1) + *part;
  }
  return true;
}

}  // namespace

Result<Ir> read_ir(std::string_view text) {
  if (text.size() > limits::kSourceBytesMax) {
    return fail(Fault::limit, "text of IR longer than kSourceBytesMax");
  }
  IrReader reader;
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (!reader.read_line(text.substr(0, end))) {
      return fail(Error(Fault::format, "expected " + reader.expected())
                      .at("line", fmt::format("{}, column {}", line, reader.column())));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take_ir();
}

bool Words::take(std::string_view text) {
  if (!next_is(text)) return false;
  at_ += text.size();
  return true;
}

std::string_view Words::word() {
  const std::string_view word = rest().substr(0, rest().find(' '));
  at_ += word.size();
  return word;
}

std::optional<uint32_t> Words::number() {
  const size_t digits = std::min(rest().find_first_not_of("0123456789"), rest().size());
  const auto value = u32_from_text(rest().substr(0, digits));
  if (value) at_ += digits;
  return value;
}

std::optional<std::string> Words::name() {
  if (!next_is("\"")) {
    const std::string_view plain = word();
    return plain.empty() ? std::nullopt : std::optional<std::string>(plain);
  }
  std::string out;
  for (size_t i = at_ + 1; i < line_.size(); ++i) {
    const char c = line_[i];
    if (c == '"') {
      at_ = i + 1;
      return out;
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    unsigned char byte = 0;
    const char* hex = line_.data() + i + 2;
    if (i + 4 > line_.size() || line_[i + 1] != 'x') return std::nullopt;
    const auto [stop, error] = std::from_chars(hex, hex + 2, byte, 16);
    if (error != std::errc{} || stop != hex + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 3;
  }
  return std::nullopt;
}

std::string_view Words::before_axes() {
  size_t end = rest().size();
  for (const std::string_view axis : {" over ", " hosts ", " window "}) {
    end = std::min(end, rest().find(axis));
  }
  const std::string_view text = rest().substr(0, end);
  at_ += end;
  return text;
}

}  // namespace pmjit
