#include "rules/daemon_config/read_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "rules/daemon_config/config_keys.h"
#include "rules/daemon_config/config_steps.h"
#include "rules/daemon_config/config_values.h"
#include "runtime/base/near.h"

namespace pmjit {
namespace {

constexpr std::string_view kCredentialsVariable = "CREDENTIALS_DIRECTORY=";

std::string credentials_of(const ConfigInput& input) {
  for (const std::string& variable : input.environment) {
    if (variable.starts_with(kCredentialsVariable)) {
      return variable.substr(kCredentialsVariable.size());
    }
  }
  return {};
}

ConfigSectionId part_of(SinkType type) {
  switch (type) {
    case SinkType::alertmanager: return ConfigSectionId::AlertmanagerSink;
    case SinkType::webhook: return ConfigSectionId::WebhookSink;
    case SinkType::exec: return ConfigSectionId::ExecSink;
    case SinkType::file: return ConfigSectionId::FileSink;
  }
  return ConfigSectionId::AlertmanagerSink;
}

// The sections of a tree, one after the other. What is between them is checked at the end.
class ConfigReader {
 public:
  ConfigReader(const TomlNode& root, const ConfigInput& input, const ConfigFiles& files)
      : root_(root), surroundings_{files, credentials_of(input)} {}

  DaemonConfig read(ConfigProblems& problems) {
    problems_ = &problems;
    check_names();
    read_one(config_.main, ConfigSectionId::MainSection);
    read_one(config_.daemon, ConfigSectionId::DaemonSection);
    read_one(config_.log, ConfigSectionId::LogSection);
    read_one(config_.fetch, ConfigSectionId::FetchSection);
    read_one(config_.derived, ConfigSectionId::DerivedSection);
    read_one(config_.alerts, ConfigSectionId::AlertsSection);
    read_one(config_.host_down, ConfigSectionId::HostDownSection);
    read_one(config_.actions, ConfigSectionId::ActionsSection);
    read_one(config_.http, ConfigSectionId::HttpSection);
    read_hosts();
    read_rules();
    for (const TomlNode* table : tables("sink")) read_sink(*table);
    for (const TomlNode* table : tables("route")) read_route(*table);
    check_sinks();
    check_order("fetch.backoff", config_.fetch.backoff, "fetch.backoff_max",
                config_.fetch.backoff_max);
    check_listeners();
    return std::move(config_);
  }

 private:
  // Keys of the main file itself, and tables that nobody knows.
  void check_names() {
    if (refuse_report()) return;
    for (const TomlEntry& entry : root_.entries) {
      if (find_key(ConfigSectionId::MainSection, entry.key) != nullptr) continue;
      const ConfigSection* section = find_section(entry.key);
      if (is_later_section(entry.key)) {
        problems_->add(ProblemCode::not_yet, entry.place, fmt::format("[{}]", entry.key));
      } else if (section == nullptr) {
        ConfigProblem& problem = problems_->add(ProblemCode::unknown_key, entry.place, entry.key);
        const std::string help = nearest_section_help(entry.key);
        problem.help(help.empty() ? sections_help() : help);
      } else {
        check_form(entry, *section);
      }
    }
  }

  // A slip in [[column]]: what a report has beside it is no mistake.
  bool refuse_report() {
    for (const TomlEntry& entry : root_.entries) {
      std::vector<std::string> near = near_names(entry.key, {"column"});
      keep_slips(entry.key, near);
      if (near.empty() || find_section(entry.key) != nullptr) continue;
      problems_->add(ProblemCode::unknown_key, entry.place, entry.key)
          .help("did you mean [[column]]? A file with it is a report, for -p");
      return true;
    }
    return false;
  }

  // The tables that there are.
  static std::string sections_help() {
    std::vector<std::string> names;
    for (const ConfigSection& section : config_sections()) {
      const bool is_whole = section.form == ConfigForm::one || section.form == ConfigForm::many;
      if (!section.name.empty() && is_whole) names.push_back(section_text(section));
    }
    return fmt::format("the tables are {}", fmt::join(names, ", "));
  }

  void check_form(const TomlEntry& entry, const ConfigSection& section) {
    const bool is_many = section.form == ConfigForm::many;
    const bool is_right = is_many ? entry.value.is_list_of_tables() || is_empty_list(entry.value)
                                  : entry.value.kind == TomlNode::Kind::table;
    if (is_right) return;
    problems_
        ->add(ProblemCode::wrong_type, entry.place, fmt::format("`{}`", entry.key),
              kind_text(entry.value.kind), is_many ? "a list of tables" : "a table")
        .help(fmt::format("write {}{}", section_text(section),
                          entry.value.kind == TomlNode::Kind::table ? "" : list_help(section)));
  }

  // rules = ["a.pmie"]: where the list belongs, if somewhere.
  static std::string list_help(const ConfigSection& section) {
    for (const ConfigKey& key : config_keys()) {
      const bool is_list = key.type == ConfigValueType::paths || key.type == ConfigValueType::texts;
      if (key.section == section.id && is_list) return "; below it " + missing_key_help(key);
    }
    return {};
  }

  static bool is_empty_list(const TomlNode& node) {
    return node.kind == TomlNode::Kind::list && node.items.empty();
  }

  template <class Block>
  void read_one(Block& block, ConfigSectionId id) {
    const ConfigSection& section = config_section(id);
    ConfigValues values;
    if (id == ConfigSectionId::MainSection) {
      values = main_values();
    } else if (const TomlNode* table = one_table(section.name)) {
      values = read_table(*table, {id}, *problems_);
    }
    if (id != ConfigSectionId::MainSection) finish_values(values, surroundings_, *problems_);
    for (const ConfigValue& value : values.all) {
      config_.places.emplace(fmt::format("{}.{}", section.name, value.key->name), value.key_place);
    }
    fill(block, values);
  }

  [[nodiscard]] ConfigValues main_values() {
    ConfigValues out;
    for (const TomlEntry& entry : root_.entries) {
      const ConfigKey* key = find_key(ConfigSectionId::MainSection, entry.key);
      if (key == nullptr) continue;
      if (auto value = read_value(*key, entry, *problems_)) out.all.push_back(*std::move(value));
    }
    return out;
  }

  // Null: it is not there, or is no table.
  [[nodiscard]] const TomlNode* one_table(std::string_view name) {
    const TomlNode* table = &root_;
    for (size_t at = 0; at <= name.size();) {
      const size_t dot = std::min(name.find('.', at), name.size());
      const TomlEntry* entry = table->find(name.substr(at, dot - at));
      if (entry == nullptr) return nullptr;
      if (entry->value.kind != TomlNode::Kind::table) {
        if (at > 0) check_form(*entry, *find_section(name));
        return nullptr;
      }
      table = &entry->value;
      at = dot + 1;
    }
    return table;
  }

  [[nodiscard]] std::vector<const TomlNode*> tables(std::string_view name) const {
    std::vector<const TomlNode*> out;
    const TomlEntry* entry = root_.find(name);
    if (entry == nullptr || !entry->value.is_list_of_tables()) return out;
    for (const TomlNode& table : entry->value.items) out.push_back(&table);
    return out;
  }

  ConfigValues table_values(const TomlNode& table, const std::vector<ConfigSectionId>& sections) {
    ConfigValues out = read_table(table, sections, *problems_);
    finish_values(out, surroundings_, *problems_);
    return out;
  }

  void read_hosts() {
    std::deque<ConfigValues> values;
    for (const TomlNode* table : tables("hosts")) {
      values.push_back(table_values(*table, {ConfigSectionId::HostsBlock}));
      fill(config_.host_blocks.emplace_back(), values.back());
      const HostsBlock& block = config_.host_blocks.back();
      if (!block.file.empty()) config_.watched.push_back(block.file);
    }
    std::vector<HostsSource> sources;
    for (size_t i = 0; i < values.size(); ++i) {
      sources.push_back({config_.host_blocks[i], values[i]});
    }
    config_.hosts =
        listed_hosts(sources, config_.alerts.label_host, surroundings_.files, *problems_);
  }

  void read_rules() {
    for (const TomlNode* table : tables("rules")) {
      const ConfigValues values = table_values(*table, {ConfigSectionId::RulesBlock});
      RulesBlock& block = config_.rules.emplace_back();
      fill(block, values);
      const ConfigValue* files = values.find(find_key(ConfigSectionId::RulesBlock, "files"));
      block.place = files == nullptr ? values.place : files->place;
      note_places(*table, values, block);
      if (const TomlEntry* alerts = table->find("alert")) read_alerts(*alerts, block);
      block.host_ids = chosen_hosts(config_.hosts, block.hosts);
      const ConfigValue* hosts = values.find(find_key(ConfigSectionId::RulesBlock, "hosts"));
      if (hosts != nullptr && block.host_ids.empty()) {
        const std::string missing = missing_host_help(block.hosts);
        problems_->add(ProblemCode::no_host, hosts->place)
            .help(missing.empty() ? labels_help() : missing);
      }
    }
  }

  // What is wrong with them is found when the files of rules have been read.
  static void note_places(const TomlNode& table, const ConfigValues& values, RulesBlock& block) {
    if (const TomlEntry* set = table.find("set")) {
      for (const TomlEntry& entry : set->value.entries) {
        block.places.emplace("set." + entry.key, entry.place);
      }
    }
    note_annotations(table, "annotations", block);
    for (const std::string_view key : {"enable", "disable", "interval"}) {
      const ConfigValue* value = values.find(find_key(ConfigSectionId::RulesBlock, key));
      if (value == nullptr) continue;
      block.places.emplace(key, value->place);
      for (const ConfigValue::Item& item : value->items) {
        block.places.emplace(fmt::format("{}.{}", key, item.text), item.place);
      }
    }
  }

  static void note_annotations(const TomlNode& table, const std::string& name, RulesBlock& block) {
    const TomlEntry* const notes = table.find("annotations");
    if (notes == nullptr) return;
    for (const TomlEntry& entry : notes->value.entries) {
      block.places.emplace(fmt::format("{}.{}", name, entry.key), entry.value.place);
    }
  }

  // Of a host that is chosen by its name, and that [[hosts]] does not name; "": there is none.
  [[nodiscard]] std::string missing_host_help(const std::vector<Matcher>& matchers) const {
    std::vector<std::string> names;
    for (const ConfigHost& host : config_.hosts) names.push_back(host.name);
    for (const Matcher& one : matchers) {
      const bool by_name =
          one.name() == config_.alerts.label_host && one.sign() == Matcher::Sign::equal;
      if (!by_name || std::ranges::find(names, one.value()) != names.end()) continue;
      const std::string near = near_names_text(near_names(one.value(), names));
      return near.empty()
                 ? fmt::format("[[hosts]] does not name {0}: write names = [\"{0}\"] there",
                               one.value())
                 : near;
    }
    return {};
  }

  // The labels that hosts have.
  [[nodiscard]] std::string labels_help() const {
    constexpr size_t kShown = 8;
    std::set<std::string> labels;
    for (const ConfigHost& host : config_.hosts) {
      for (const auto& [name, value] : host.labels) {
        labels.insert(fmt::format("{}=\"{}\"", name, value));
      }
    }
    if (labels.empty()) return "no host is named; write [[hosts]] with names = [\"web1\"]";
    const std::vector<std::string> all(labels.begin(), labels.end());
    return fmt::format("hosts have {}{}",
                       fmt::join(std::span(all).first(std::min(kShown, all.size())), ", "),
                       all.size() > kShown ? ", …" : "");
  }

  void read_alerts(const TomlEntry& alerts, RulesBlock& block) {
    const ConfigSection& section = config_section(ConfigSectionId::RuleAlertBlock);
    if (alerts.value.kind != TomlNode::Kind::table) return check_form(alerts, section);
    for (const TomlEntry& entry : alerts.value.entries) {
      if (entry.value.kind != TomlNode::Kind::table) {
        problems_
            ->add(ProblemCode::wrong_type, entry.place, fmt::format("`{}`", entry.key),
                  kind_text(entry.value.kind), "a table")
            .help(
                fmt::format("write {}; GLOB chooses rules by their names", section_text(section)));
        continue;
      }
      if (refuse_dotted_name(entry)) continue;
      const ConfigValues values = table_values(entry.value, {ConfigSectionId::RuleAlertBlock});
      RuleAlertBlock& alert = block.alerts.emplace_back();
      fill(alert, values);
      alert.glob = entry.key;
      alert.place = entry.place;
      note_annotations(entry.value, fmt::format("alert.{}.annotations", entry.key), block);
      note_sinks(values.find(find_key(ConfigSectionId::RuleAlertBlock, "notify")));
    }
  }

  // `anotations = { … }`: a key of the table is mistyped. A table of an alert has keys of its own.
  static bool is_slip(const TomlEntry& inner) {
    const auto is_key = [](const TomlEntry& entry) {
      return find_key(ConfigSectionId::RuleAlertBlock, entry.key) != nullptr;
    };
    return is_near_key(ConfigSectionId::RuleAlertBlock, inner.key) &&
           std::ranges::none_of(inner.value.entries, is_key);
  }

  // [rules.alert.disk.busy]: TOML makes a table in a table of it.
  bool refuse_dotted_name(const TomlEntry& entry) {
    for (const TomlEntry& inner : entry.value.entries) {
      const bool known = find_key(ConfigSectionId::RuleAlertBlock, inner.key) != nullptr;
      if (known || inner.value.kind != TomlNode::Kind::table || is_slip(inner)) continue;
      problems_->add(ProblemCode::unknown_key, inner.place, inner.key)
          .help(fmt::format("a name with dots needs quotes: [rules.alert.\"{}.{}\"]", entry.key,
                            inner.key));
      return true;
    }
    return false;
  }

  // What else a sink may have depends on its type: with a wrong one nothing else is looked at.
  void read_sink(const TomlNode& table) {
    const ConfigKey* key = find_key(ConfigSectionId::SinkBlock, "type");
    const TomlEntry* entry = table.find(key->name);
    if (entry == nullptr) {
      problems_->add(ProblemCode::missing_key, table.place, "[[sink]]", key->name)
          .help(missing_key_help(*key));
      return;
    }
    ConfigProblems unheard;  // of the type: read_table() says it again
    const auto type = read_value(*key, *entry, unheard);
    if (!type) {
      (void)read_value(*key, *entry, *problems_);
      return;
    }
    SinkBlock sink;
    assign(sink.type, *type);
    const ConfigSectionId part = part_of(sink.type);
    const ConfigValues values = table_values(table, {ConfigSectionId::SinkBlock, part});
    fill(sink, values);
    if (part == ConfigSectionId::AlertmanagerSink) fill(sink.alertmanager, values);
    if (part == ConfigSectionId::WebhookSink) fill(sink.webhook, values);
    if (part == ConfigSectionId::ExecSink) fill(sink.exec, values);
    if (part == ConfigSectionId::FileSink) fill(sink.file, values);
    const ConfigValue* name = values.find(find_key(ConfigSectionId::SinkBlock, "name"));
    add_sink(std::move(sink), name == nullptr ? table.place : name->place);
  }

  void add_sink(SinkBlock sink, const ConfigPlace& place) {
    const auto there = std::ranges::find(config_.sinks, sink.name, &SinkBlock::name);
    if (there != config_.sinks.end()) {
      const auto number = static_cast<size_t>(there - config_.sinks.begin());
      problems_->add(ProblemCode::set_twice, place, fmt::format("sink {}", sink.name))
          .help(fmt::format("{} has the name, too", problems_->place_text(sink_places_[number])));
    }
    if (sink.retry_min > sink.retry_max) {
      problems_->add(ProblemCode::out_of_range, place,
                     fmt::format("sink {}: `retry_min` is longer than `retry_max`", sink.name));
    }
    sink_places_.push_back(place);
    config_.sinks.push_back(std::move(sink));
  }

  void read_route(const TomlNode& table) {
    const ConfigValues values = table_values(table, {ConfigSectionId::RouteBlock});
    fill(config_.routes.emplace_back(), values);
    note_sinks(values.find(find_key(ConfigSectionId::RouteBlock, "sinks")));
  }

  void note_sinks(const ConfigValue* value) {
    if (value == nullptr) return;
    named_sinks_.insert(named_sinks_.end(), value->items.begin(), value->items.end());
  }

  void check_sinks() {
    std::vector<std::string_view> names;
    for (const SinkBlock& sink : config_.sinks) names.push_back(sink.name);
    for (const ConfigValue::Item& item : named_sinks_) {
      if (std::ranges::find(names, item.text) != names.end()) continue;
      ConfigProblem& problem = problems_->add(ProblemCode::unknown_sink, item.place, item.text);
      const std::string_view near = nearest_name(item.text, names);
      if (!near.empty()) {
        problem.help(fmt::format("there is `{}`", near));
      } else {
        problem.help(names.empty() ? "no [[sink]] is defined"
                                   : fmt::format("sinks are {}", fmt::join(names, ", ")));
      }
    }
  }

  void check_order(const std::string& least_name, Milliseconds least, const std::string& most_name,
                   Milliseconds most) {
    if (least <= most) return;
    const auto place = config_.places.contains(most_name) ? config_.places.find(most_name)
                                                          : config_.places.find(least_name);
    problems_->add(ProblemCode::out_of_range, place->second,
                   fmt::format("`{}` is longer than `{}`", least_name, most_name));
  }

  // Elsewhere than on loopback everybody who reaches the port may read.
  void check_listeners() {
    for (const std::string& listen : config_.http.listen) {
      const auto address = read_listen_address(listen);
      if (!address || address->is_loopback() || config_.http.insecure) continue;
      problems_
          ->add(ProblemCode::bad_address, config_.places.at("http.listen"),
                fmt::format("anybody who reaches {} could read everything", listen))
          .help("listen at 127.0.0.1:PORT, or write insecure = true (TLS is not supported yet)");
    }
  }

  const TomlNode& root_;
  ConfigSurroundings surroundings_;
  ConfigProblems* problems_ = nullptr;
  DaemonConfig config_{};
  std::vector<ConfigPlace> sink_places_;        // of config_.sinks
  std::vector<ConfigValue::Item> named_sinks_;  // wherever sinks are named
};

}  // namespace

ConfigRead read_config(const ConfigInput& input, const ConfigFiles& files) {
  ConfigRead out;
  const TomlNode root = read_config_tree(input, files, out.problems);
  out.config = ConfigReader(root, input, files).read(out.problems);
  return out;
}

}  // namespace pmjit
