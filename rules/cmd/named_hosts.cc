#include "rules/cmd/live_hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>

#include "rules/cmd/common.h"
#include "rules/cmd/text_file.h"
#include "runtime/base/limits.h"
#include "runtime/client/host_list.h"
#include "runtime/client/host_spec.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// `web1,`, `web1,,web2`: between two commas, or beside one, a host is missing.
bool lacks_host(std::string_view spec) {
  spec = spec.substr(0, spec.find_first_of("?/"));
  return spec.starts_with(',') || spec.ends_with(',') || spec.contains(",,");
}

// The hosts between `separator`, an option for each; of none `otherwise`.
Error wrong_hosts(const std::string& spec, std::string_view what, char separator,
                  std::string_view otherwise) {
  std::string meant;
  for (const auto part : std::views::split(spec, separator)) {
    if (!part.empty()) meant += fmt::format(" -h {}", std::string_view(part.begin(), part.end()));
  }
  return Error(Fault::usage, std::string(what))
      .at("host specification", spec)
      .help(meant.empty() ? std::string(otherwise) : fmt::format("did you mean{}?", meant));
}

Error missing_host(const std::string& spec) {
  return wrong_hosts(spec, "a host is missing beside a comma", ',',
                     "write a name, as in -h web1; of several -h web1 -h web2");
}

// -h "web1 web2"
Error several_words(const std::string& spec) {
  return wrong_hosts(spec, "a host has no blanks in its name", ' ', "write a name, as in -h web1");
}

Result<FleetHost> host_of(const std::string& spec, const std::string& name) {
  if (lacks_host(spec)) return fail(missing_host(spec));
  if (spec.substr(0, spec.find_first_of("?/")).contains(' ')) return fail(several_words(spec));
  auto parsed = parse_host_spec(spec);
  if (!parsed) return fail(spec_error(spec, parsed.error()));
  // web1,web2 is one name to PCP, and nobody has it.
  if (const size_t comma = spec.find(','); parsed->host().contains(',')) {
    return fail(spec_error(
        spec,
        {.code = pm_err::E_GENERIC, .offset = comma, .message = "a host has no , in its name"}));
  }
  if (auto refused = spec_refusal(*parsed)) return fail(*std::move(refused));
  if (auto refused = attribute_refusal(*parsed)) return fail(*std::move(refused));
  return FleetHost{.spec = *std::move(parsed), .name = name};
}

Error list_error(const HostListProblem& problem, const std::string& what,
                 const std::string& where) {
  return Error(Fault::usage, problem.what).at(what, where).help(problem.help);
}

// Brackets may hold an address, as in `[fe80::1]:44321`: `word` is one host then, and no list.
// `name` is what a list would make of it.
bool is_address(const std::string& word, const std::string& name) {
  if (name == word) return true;
  const size_t close = word.find(']');
  return word.starts_with('[') && name == word.substr(1, close - 1) + word.substr(close + 1);
}

class NamedHosts {
 public:
  Result<void> add(const std::string& word) {
    if (word.starts_with('@')) return add_file(word.substr(1));
    if (word.find_first_of("[]") == word.npos) return add_host(word, "");
    const auto names = expand_hosts(word);
    if (!names) return fail(list_error(names.error(), "-h", word));
    if (names->size() == 1 && is_address(word, names->front())) return add_host(word, "");
    for (const std::string& name : *names) {
      if (auto added = add_host(name, name); !added) return added;
    }
    return {};
  }
  std::vector<FleetHost> take() { return std::move(out_); }

 private:
  Result<void> add_host(const std::string& spec, const std::string& name) {
    if (out_.size() == limits::kListedHostsMax) {
      return fail(Error(Fault::limit, fmt::format("more than {} hosts", limits::kListedHostsMax))
                      .help("divide them among several runs"));
    }
    auto host = host_of(spec, name);
    if (!host) return fail(host.error());
    out_.push_back(*std::move(host));
    return {};
  }

  Result<void> add_file(const std::string& path) {
    constexpr const char* kHelp =
        "write -h @FILE; a line of the file is NAME, or NAME SPEC, such as: web1 "
        "web1.example.org:44321";
    if (path.empty()) {
      return fail(Error(Fault::usage, "no file is named").at("-h", "@").help(kHelp));
    }
    const auto files = read_files({path}, FileKind::hosts);
    if (!files) return fail(Error(files.error()).help(kHelp));
    const std::string& text = files->front().text;
    const auto place_of = [&](size_t offset) {
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
      return fmt::format("{}:{}", path, 1 + std::count(text.begin(), end, '\n'));
    };
    const HostFile file = read_host_lines(text);
    if (!file.problems.empty()) {
      const HostListProblem& first = file.problems.front();
      return fail(list_error(first, "hosts", place_of(first.offset)));
    }
    if (file.hosts.empty()) {
      return fail(Error(Fault::usage, "it names no host")
                      .at("hosts", path)
                      .help("a line is NAME, or NAME SPEC, such as: web1 web1.example.org:44321"));
    }
    for (const ListedHost& host : file.hosts) {
      const auto spec =
          fill_host_spec(host.spec.empty() ? "%n" : host.spec, host.name, host.labels);
      if (!spec) return fail(list_error(spec.error(), "hosts", place_of(host.offset)));
      auto added = add_host(*spec, host.name);
      if (!added) return fail(added.error().at("hosts", place_of(host.offset)));
    }
    return {};
  }

  std::vector<FleetHost> out_;
};

}  // namespace

Result<std::vector<FleetHost>> named_hosts(const std::vector<std::string>& words) {
  NamedHosts out;
  for (const std::string& word : words) {
    if (auto added = out.add(word); !added) return fail(added.error());
  }
  return out.take();
}

}  // namespace pmjit
