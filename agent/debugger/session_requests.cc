// DebugSession: commands that ask the agent for something, other than values.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "agent/debugger/session_ask.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

struct AttributeName {
  int32_t code;
  std::string_view name;
};
constexpr AttributeName kAttributeNames[] = {
    {1, "protocol"}, {2, "secure"},     {3, "compress"},   {4, "userauth"},
    {5, "username"}, {6, "authname"},   {7, "password"},   {8, "method"},
    {9, "realm"},    {10, "unixsock"},  {11, "userid"},    {12, "groupid"},
    {13, "local"},   {14, "processid"}, {15, "container"}, {16, "exclusive"}};

const AttributeName* find_attribute(const CommandWord& word) {
  const bool by_code = word.kind == CommandWord::Kind::number;
  const auto* const found = std::ranges::find_if(kAttributeNames, [&](const AttributeName& row) {
    return by_code ? row.code == static_cast<int32_t>(word.numbers[0]) : row.name == word.text;
  });
  return found == std::end(kAttributeNames) ? nullptr : found;
}

constexpr uint32_t kTextOfMetric = 4, kTextOfDomain = 8;
enum LabelKind : uint32_t {
  kContextLabels = 1,
  kDomainLabels = 2,
  kInDomLabels = 4,
  kClusterLabels = 8,
  kItemLabels = 16,
  kInstanceLabels = 32,
};

std::string label_text(std::string_view json, const wire::LabelPlace& label) {
  return fmt::format("    {}={}\n", json.substr(label.name_at, label.name_bytes),
                     json.substr(label.value_at, label.value_bytes));
}

}  // namespace

void DebugSession::put_timer() {
  if (timer_) fmt::print("Timer: {:.6f} seconds\n", waited_.count());
}

void DebugSession::put_timer_of_process() {
  if (!agent_->is_object()) put_timer();
}

void DebugSession::tell_failure(std::string_view function, int code) {
  if (agent_->is_object()) {
    fmt::print("Error: DSO {}() failed: {}\n", function, pm_error_text(code));
  } else {
    fmt::print("Error PDU: {}\n", pm_error_text(code));
  }
}

std::optional<Desc> DebugSession::describe(PmId pmid) {
  const auto* const found = ask<wire::DescMessage>("desc", wire::DescRequest{.pmid = pmid});
  if (found == nullptr) return {};
  return found->desc;
}

void DebugSession::do_desc() {
  const auto pmid = take_metric();
  if (!pmid || !ready()) return;
  fmt::print("PMID: {}\n", pmid_text(*pmid));
  if (const auto desc = describe(*pmid)) {
    std::string text;
    append_desc(text, *desc);
    fmt::print("{}", text);
  }
  put_timer();
}

void DebugSession::do_instance() {
  const auto indom = take_indom();
  if (!indom) return;
  wire::InstanceRequest request{.indom = *indom};
  if (const CommandWord* const which = peek()) {
    ++next_;
    if (which->kind == CommandWord::Kind::number) {
      request.instance = static_cast<int32_t>(which->numbers[0]);
    } else if (which->kind == CommandWord::Kind::name || which->kind == CommandWord::Kind::string) {
      request.name = which->text;
    } else {
      return mistake("syntax error");
    }
  }
  if (!ready()) return;
  fmt::print("pmInDom: {}\n", indom_text(*indom));
  const bool by_number = request.instance != kSingular, by_name = !request.name.empty();
  if (const auto* const found = ask<wire::InstanceMessage>("instance", request)) {
    for (size_t i = 0; i < found->instances.size(); ++i) {
      const wire::InstanceName& row = found->instances[i];
      fmt::print("[{:3}]", i);
      if (!by_number) fmt::print(" inst: {}", row.instance);
      if (!by_name) fmt::print(" name: \"{}\"", row.name);
      fmt::print("\n");
    }
  }
  put_timer();
}

void DebugSession::put_texts(uint32_t ident, uint32_t of_what) {
  for (const TextKind kind : {TextKind::one_line, TextKind::help}) {
    const bool one_line = kind == TextKind::one_line;
    const auto* const found = ask<wire::TextMessage>(
        "text", wire::TextRequest{.ident = ident, .kind = static_cast<uint32_t>(kind) | of_what});
    if (found == nullptr) continue;
    std::string_view text = found->text;
    if (text.empty())
      text = one_line ? "<no one line help text specified>" : "<no help text specified>";
    fmt::print("{}{}{}\n", one_line ? "[" : "", text, one_line ? "]" : "");
  }
  put_timer();
}

void DebugSession::do_text() {
  if (take_word("indom")) {
    const auto indom = take_indom();
    if (!indom || !ready()) return;
    fmt::print("pmInDom: {}\n", indom_text(*indom));
    return put_texts(*indom, kTextOfDomain);
  }
  const auto pmid = take_metric();
  if (!pmid || !ready()) return;
  fmt::print("PMID: {}\n", pmid_text(*pmid));
  put_texts(*pmid, kTextOfMetric);
}

void DebugSession::do_label() {
  if (take_word("context")) {
    if (ready()) put_labels(kContextLabels, 0);
  } else if (take_word("domain")) {
    if (ready()) put_labels(kDomainLabels, 0);
  } else if (take_word("cluster")) {
    const CommandWord* const word = take(CommandWord::Kind::number);
    if (word == nullptr || word->numbers.size() != 2) return mistake("syntax error");
    if (!ready()) return;
    fmt::print("Cluster: {}\n", word->text);
    put_labels(kClusterLabels, (word->numbers[0] & 0x1ff) << 22 | (word->numbers[1] & 0xfff) << 10);
  } else if (take_word("item")) {
    const auto pmid = take_metric();
    if (!pmid || !ready()) return;
    fmt::print("PMID: {}\n", pmid_text(*pmid));
    put_labels(kItemLabels, *pmid);
  } else if (take_word("indom")) {
    const auto indom = take_indom();
    if (!indom || !ready()) return;
    fmt::print("pmInDom: {}\n", indom_text(*indom));
    put_labels(kInDomLabels, *indom);
  } else if (take_word("instances")) {
    const auto indom = take_indom();
    if (!indom || !ready()) return;
    fmt::print("Instances of pmInDom: {}\n", indom_text(*indom));
    if (send_profile(false)) put_labels(kInstanceLabels, *indom);
  } else {
    ++next_;
    mistake("syntax error");
  }
}

void DebugSession::put_labels(uint32_t type, uint32_t ident) {
  const auto* const found =
      ask<wire::LabelMessage>("label", wire::LabelRequest{.ident = ident, .type = type});
  if (found == nullptr) return put_timer();
  const bool of_instances = type == kInstanceLabels;
  if (found->sets.empty()) {
    fmt::print("Info: {}\n", agent_->is_object() ? "DSO label() returns 0"
                                                 : "__pmDecodeLabel() returns 0 label sets");
  }
  for (size_t i = 0; i < found->sets.size(); ++i) {
    const wire::SentLabels& set = found->sets[i];
    if (of_instances) {
      fmt::print("[{:3}] Labels inst: {}\n", i, set.instance);
    } else {
      fmt::print("Labels:\n");
    }
    for (const wire::LabelPlace& label : set.places) fmt::print("{}", label_text(set.json, label));
  }
  put_timer();
}

bool DebugSession::has_interface(int least, std::string_view what) {
  if (!agent_->is_object() || agent_->interface() >= least) return true;
  fmt::print("Error: PMDA Interface {} does not support {}\n", agent_->interface(), what);
  return false;
}

void DebugSession::do_name() {
  const CommandWord* const word = take(CommandWord::Kind::number);
  if (word == nullptr || word->numbers.size() != 3) return mistake("syntax error");
  if (!ready()) return;
  const PmId pmid = (word->numbers[0] & 0x1ff) << 22 | (word->numbers[1] & 0xfff) << 10 |
                    (word->numbers[2] & 0x3ff);
  fmt::print("PMID: {}\n", pmid_text(pmid));
  if (!has_interface(4, "dynamic metric names")) return;
  const auto* const found =
      ask<wire::NamesMessage>("name", wire::IdsMessage{.resolved = 0, .pmids = {pmid}});
  if (found != nullptr) {
    for (const wire::NameAndStatus& row : found->names) fmt::print("   {}\n", row.name);
  }
  put_timer_of_process();
}

void DebugSession::do_pmid() {
  const CommandWord* const word = take(CommandWord::Kind::name);
  if (word == nullptr || !ready()) return;
  fmt::print("Metric: {}\n", word->text);
  if (!has_interface(4, "dynamic metric names")) return;
  const auto* const found =
      ask<wire::IdsMessage>("pmid", wire::NamesMessage{.names = {{.name = word->text}}});
  if (found != nullptr) {
    for (const PmId pmid : found->pmids) fmt::print("   {}\n", pmid_text(pmid));
  }
  put_timer_of_process();
}

void DebugSession::put_names(std::string_view kind, const wire::PduBody& request, bool traversed) {
  if (!has_interface(4, "dynamic metric names")) return;
  const auto* const found = ask<wire::NamesMessage>(kind, request);
  if (found != nullptr) {
    for (const wire::NameAndStatus& row : found->names) {
      if (traversed && !agent_->is_object()) {
        fmt::print("   {}\n", row.name);
      } else {
        const bool leaf = traversed || row.status == 0;
        fmt::print("   {:>8} {}\n", leaf ? "leaf" : "non-leaf", row.name);
      }
    }
  }
  put_timer_of_process();
}

void DebugSession::do_children() {
  const CommandWord* const word = take(CommandWord::Kind::name);
  if (word == nullptr || !ready()) return;
  fmt::print("Metric: {}\n", word->text);
  put_names("children", wire::ChildRequest{.subtype = 1, .name = word->text}, false);
}

void DebugSession::do_traverse() {
  const CommandWord* const word = take(CommandWord::Kind::name);
  if (word == nullptr || !ready()) return;
  fmt::print("Metric: {}\n", word->text);
  put_names("children", wire::TraverseRequest{.subtype = 0, .name = word->text}, true);
}

void DebugSession::do_attr() {
  const CommandWord& word = words_[next_++];
  if (word.kind != CommandWord::Kind::number && word.kind != CommandWord::Kind::string) {
    return mistake("syntax error");
  }
  const AttributeName* const attribute = find_attribute(word);
  if (attribute == nullptr) {
    return mistake(fmt::format("Attribute ({}) is not recognised", word.text));
  }
  std::optional<std::string> value;
  if (peek() != nullptr) {
    const CommandWord* const given = take(CommandWord::Kind::string);
    if (given == nullptr) return;
    value = given->text;
  }
  if (!ready() || !has_interface(6, "authentication")) return;
  fmt::print("Attribute: {}={}\n", attribute->name, value.value_or("''"));
  std::string sent = value.value_or("");
  sent.push_back('\0');
  if (agent_->send(wire::AttributeMessage{.code = attribute->code, .value = sent})) {
    fmt::print("Success\n");
  } else {
    fmt::print("Error: the agent has ended\n");
  }
  put_timer_of_process();
}

}  // namespace pmjit
