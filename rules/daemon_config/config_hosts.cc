#include "rules/daemon_config/config_steps.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/client/host_list.h"
#include "runtime/client/host_spec.h"

namespace pmjit {
namespace {

constexpr size_t kHostsFileBytesMax = 64u << 20;

// Makes the list, a block after the other.
class HostCollector {
 public:
  HostCollector(const std::string& label_host, const ConfigFiles& files, ConfigProblems& problems)
      : label_host_(label_host), files_(files), problems_(problems) {}

  void add_block(const HostsSource& source, uint32_t number) {
    source_ = &source;
    number_ = number;
    spec_problem_told_ = false;
    const ConfigValue* names = value_of("names");
    const ConfigValue* file = value_of("file");
    if (!is_given("names") && !is_given("file")) {
      problems_.add(ProblemCode::missing_key, source.values.place, "[[hosts]]", "names` or `file")
          .help("write names = [\"web1\"], or file = \"hosts.txt\"");
    }
    if (names != nullptr) {
      for (const ConfigValue::Item& item : names->items) add_names(item);
    }
    if (file != nullptr) add_files(file->items.front());
  }

  std::vector<ConfigHost> finish() { return std::move(hosts_); }

 private:
  struct Origin {
    ConfigPlace place;
    bool is_of_file;
  };

  [[nodiscard]] const ConfigValue* value_of(std::string_view name) const {
    return source_->values.find(find_key(ConfigSectionId::HostsBlock, name));
  }

  [[nodiscard]] bool is_given(std::string_view name) const {
    return source_->values.is_given(find_key(ConfigSectionId::HostsBlock, name));
  }

  void add_names(const ConfigValue::Item& item) {
    if (item.text.starts_with('@') && item.text.size() > 1) {
      problems_
          .add(ProblemCode::bad_address, item.place,
               fmt::format("{} is how -h names a file of hosts", item.text))
          .help(fmt::format("write file = \"{}\"", item.text.substr(1)));
      return;
    }
    const auto names = expand_hosts(item.text);
    if (!names) {
      problems_
          .add(ProblemCode::out_of_range, item.place, fmt::format("hosts: {}", names.error().what))
          .help(names.error().help);
      return;
    }
    const ListedHost none;
    for (const std::string& name : *names) add_host(name, none, {item.place, false});
  }

  void add_files(const ConfigValue::Item& item) {
    const bool is_pattern = is_glob(item.text);
    const std::vector<std::string> paths =
        is_pattern ? files_.matching(item.text) : std::vector<std::string>{item.text};
    if (paths.empty()) problems_.add(ProblemCode::no_match, item.place, item.text);
    for (const std::string& path : paths) add_file(path, item.place);
  }

  void add_file(const std::string& path, const ConfigPlace& asked) {
    auto text = files_.read(path, kHostsFileBytesMax);
    if (!text) {
      problems_.add(ProblemCode::bad_file, asked, text.error().text())
          .help("is the name right, and may this user read it?");
      return;
    }
    const HostFile file = read_host_lines(*text);
    const uint32_t source = problems_.add_source({.name = path, .text = *std::move(text)});
    const auto place_of = [&](size_t offset, size_t length) {
      const auto begin = static_cast<uint32_t>(offset);
      return ConfigPlace{source, {begin, begin + static_cast<uint32_t>(length)}};
    };
    for (const HostListProblem& problem : file.problems) {
      problems_
          .add(ProblemCode::bad_host_line, place_of(problem.offset, problem.length), problem.what)
          .help(problem.help);
    }
    for (const ListedHost& host : file.hosts) {
      add_host(host.name, host, {place_of(host.offset, host.length), true});
    }
  }

  void add_host(const std::string& name, const ListedHost& listed, const Origin& origin) {
    if (hosts_.size() == limits::kListedHostsMax) {
      if (!std::exchange(is_full_, true)) {
        problems_.add(ProblemCode::out_of_range, origin.place,
                      fmt::format("more than {} hosts", limits::kListedHostsMax));
      }
      return;
    }
    const auto [place, is_new] = origins_.emplace(name, origin);
    if (!is_new) return add_twice(name, origin, place->second);
    const HostsBlock& block = source_->block;
    ConfigHost host{
        .name = name, .labels = block.labels, .interval_min = block.interval_min, .block = number_};
    if (!block.group.empty()) host.labels.insert_or_assign("group", block.group);
    for (const auto& [label, value] : listed.labels) host.labels.insert_or_assign(label, value);
    host.labels.insert_or_assign(label_host_, name);
    if (fill_spec(host, listed, origin)) hosts_.push_back(std::move(host));
  }

  void add_twice(const std::string& name, const Origin& origin, const Origin& first) {
    const bool is_of_file = origin.is_of_file || first.is_of_file;
    problems_
        .add(is_of_file ? ProblemCode::host_twice_in_files : ProblemCode::host_twice, origin.place,
             name)
        .help(fmt::format("{} names it, too", problems_.place_text(first.place)));
  }

  // What is wrong with the template of a block is said for its first host.
  bool fill_spec(ConfigHost& host, const ListedHost& listed, const Origin& origin) {
    const bool is_own = !listed.spec.empty();
    if (!is_own && spec_problem_told_) return false;
    const std::string& text = is_own ? listed.spec : source_->block.spec;
    const ConfigValue* block_spec = value_of("spec");
    const ConfigPlace place = is_own || block_spec == nullptr ? origin.place : block_spec->place;
    const auto spec = fill_host_spec(text, host.name, host.labels);
    if (!spec) {
      problems_.add(ProblemCode::bad_address, place, fmt::format("spec: {}", spec.error().what))
          .help(spec.error().help);
    } else if (const auto parsed = parse_host_spec(*spec); !parsed) {
      const Error wrong = spec_error(*spec, parsed.error());
      problems_
          .add(ProblemCode::bad_address, place,
               fmt::format("host specification {}: {}", *spec, wrong.what()))
          .help(wrong.help());
    } else if (const auto refused = spec_refusal(*parsed)) {
      problems_
          .add(ProblemCode::bad_address, place,
               fmt::format("host specification {}: {}", *spec, refused->what()))
          .help(refused->help());
    } else if (const auto attribute = attribute_refusal(*parsed)) {
      problems_
          .add(ProblemCode::bad_address, place,
               fmt::format("{}: {}", attribute->place(), attribute->what()))
          .help(attribute->help());
    } else if (const auto port = port_refusal(*parsed)) {
      problems_
          .add(ProblemCode::bad_address, place,
               fmt::format("host specification {}: {}", *spec, port->what()))
          .help(port->help());
    } else {
      host.spec = *spec;
      return true;
    }
    spec_problem_told_ = spec_problem_told_ || !is_own;
    return false;
  }

  const std::string& label_host_;
  const ConfigFiles& files_;
  ConfigProblems& problems_;
  const HostsSource* source_ = nullptr;
  uint32_t number_ = 0;
  bool is_full_ = false, spec_problem_told_ = false;
  std::unordered_map<std::string, Origin> origins_;
  std::vector<ConfigHost> hosts_;
};

}  // namespace

std::vector<ConfigHost> listed_hosts(const std::vector<HostsSource>& blocks,
                                     const std::string& label_host, const ConfigFiles& files,
                                     ConfigProblems& problems) {
  HostCollector collector(label_host, files, problems);
  for (uint32_t number = 0; number < blocks.size(); ++number) {
    collector.add_block(blocks[number], number);
  }
  return collector.finish();
}

std::vector<uint32_t> chosen_hosts(const std::vector<ConfigHost>& hosts,
                                   const std::vector<Matcher>& matchers) {
  std::vector<uint32_t> out;
  for (uint32_t id = 0; id < hosts.size(); ++id) {
    if (matches_all(matchers, hosts[id].labels)) out.push_back(id);
  }
  return out;
}

}  // namespace pmjit
