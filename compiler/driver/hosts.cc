#include "compiler/driver/hosts.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "compiler/driver/merge_hosts.h"
#include "compiler/driver/parsed_texts.h"
#include "compiler/sema/repeated.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

// The texts of one host, checked.
struct CheckedTexts {
  ParsedTexts texts;
  Sema sema;

  CheckedTexts(ParsedTexts parsed, const Catalog& catalog, const CompileOptions& options)
      : texts(std::move(parsed)), sema(catalog, texts.exprs, texts.compatible, options.equivalent) {
    if (!texts.names_known) return;
    std::vector<uint32_t> definitions(texts.strict_definitions);
    std::iota(definitions.begin(), definitions.end(), 0);
    sema.check(definitions);
    sema.check(texts.roots);
  }

  // What has no metric of this name here may have one on another host.
  [[nodiscard]] bool only_lacks_metrics() const {
    return texts.names_known &&
           std::ranges::all_of(texts.reports, [](const Compilation::Report& report) {
             return std::ranges::all_of(report.diags.all(), [](const Diag& diag) {
               return diag.severity != Severity::error || diag.code == DiagCode::S_NoSuchMetric ||
                      diag.code == DiagCode::S_Unusable;
             });
           });
  }
};

// Which titles are known on which hosts.
class Presence {
 public:
  void add(const std::string& title, const std::string& host, bool there) {
    auto [it, is_new] = lacking_.try_emplace(title);
    if (is_new) titles_.push_back(title);
    if (there) {
      there_[title] = true;
    } else {
      it->second.push_back(host);
    }
  }
  [[nodiscard]] bool all_somewhere() const {
    return std::ranges::all_of(titles_, [&](const auto& title) { return there_.contains(title); });
  }
  [[nodiscard]] std::vector<std::string> notes() const {
    std::map<std::vector<std::string>, std::vector<std::string>> titles_by_hosts;
    for (const std::string& title : titles_) {
      titles_by_hosts[lacking_.at(title)].push_back(title);
    }
    std::vector<std::string> out;
    for (const auto& [hosts, titles] : titles_by_hosts) {
      if (hosts.empty()) continue;
      out.push_back(
          fmt::format("{} {} no values on {}: {}", first_few_text(titles),
                      titles.size() == 1 ? "has" : "have", fmt::join(hosts, ", "),
                      titles.size() == 1 ? "a metric is missing" : "metrics are missing"));
    }
    return out;
  }

 private:
  std::vector<std::string> titles_;
  std::map<std::string, std::vector<std::string>> lacking_;
  std::map<std::string, bool> there_;
};

// Whose mistakes are shown: those of the first host that has some. A metric that no host has is
// one.
const CheckedTexts* whom_to_blame(const std::deque<CheckedTexts>& of_hosts,
                                  const Presence& presence) {
  for (const CheckedTexts& checked : of_hosts) {
    if (!checked.only_lacks_metrics()) return &checked;
  }
  return presence.all_somewhere() ? nullptr : &of_hosts.front();
}

// Has the reduction a list of hosts, and is this one not in it?
bool leaves_out(const Ast& ast, ExprId reduction, const std::string& host) {
  bool lists = false;
  for (const Spec& spec : ast.specs_of(ast.exprs[reduction])) {
    if (spec.tag != "host") continue;
    if (spec.value == host) return false;
    lists = true;
  }
  return lists;
}

// The hosts of one compilation, in their order.
class OfHosts {
 public:
  explicit OfHosts(const CompileOptions& options) : options_(options) {}

  void add(const std::string& name, ParsedTexts texts, const Catalog& catalog) {
    CheckedTexts& checked = hosts_.emplace_back(std::move(texts), catalog, options_);
    sound_ = sound_ && checked.only_lacks_metrics();
    std::vector<uint32_t> roots;
    for (const uint32_t root : checked.texts.roots) {
      const bool there = checked.texts.names_known && !checked.sema.root(root).failed;
      presence_.add(checked.texts.titles[root], name, there);
      if (there) roots.push_back(root);
    }
    if (!sound_) return;
    irs_.push_back(lowered(checked, name, roots));
    irs_.back().first_body = static_cast<uint32_t>(bodies_.size());
    for (auto& body : checked.texts.compatible.bodies()) bodies_.push_back(std::move(body));
  }

  [[nodiscard]] const ParsedTexts& first() const { return hosts_.front().texts; }
  // Those that are not the same for all hosts name theirs.
  [[nodiscard]] std::vector<std::string> notes(const HostsCatalog& catalog) const {
    std::vector<std::string> out;
    for (size_t h = 0; h < hosts_.size(); ++h) {
      for (const std::string& note : hosts_[h].texts.notes) {
        const bool same = std::ranges::all_of(hosts_, [&](const CheckedTexts& other) {
          return std::ranges::find(other.texts.notes, note) != other.texts.notes.end();
        });
        if (same && h > 0) continue;
        out.push_back(same ? note : catalog.hosts()[h].name + ": " + note);
      }
    }
    return out;
  }
  [[nodiscard]] const Presence& presence() const { return presence_; }

  // One program of all of them. None: `out` has the reports of a host with mistakes, or a failure.
  std::optional<MergedIr> merge(Compilation& out) {
    if (const CheckedTexts* blamed = whom_to_blame(hosts_, presence_)) {
      out.reports.assign(blamed->texts.reports.begin(), blamed->texts.reports.end());
      return std::nullopt;
    }
    for (const Compilation::Report& report : first().reports) {
      if (!report.diags.has_errors()) out.reports.push_back(report);
    }
    auto merged = merge_hosts(irs_);
    if (merged) return *std::move(merged);
    out.failure = merged.error().text();
    return std::nullopt;
  }
  void compile(MergedIr merged, Compilation& out) const {
    compile_ir(std::move(merged.ir), std::move(merged.roots), bodies_, options_, out);
  }

 private:
  HostIr lowered(const CheckedTexts& checked, const std::string& name,
                 const std::vector<uint32_t>& roots) const {
    const ParsedTexts& texts = checked.texts;
    Lowered made = lower(checked.sema, roots,
                         {.counter_wrap = options_.counter_wrap, .on_grid = options_.on_grid});
    HostIr out{.name = name, .ir = std::move(made.ir)};
    for (const HostsNode& at : made.hosts) {
      const NamedExpr& expr = texts.exprs[at.expr];
      out.hosts.push_back({.node = at.node,
                           .text = fmt::format("{}:{}:{}", expr.name.empty() ? "=" : "",
                                               texts.titles[at.expr], at.at.index),
                           .left_out = leaves_out(*expr.ast, at.at, name)});
    }
    for (const uint32_t root : roots) {
      out.roots.push_back({.title = texts.titles[root], .met = checked.sema.root(root).met});
    }
    return out;
  }

  const CompileOptions& options_;
  std::deque<CheckedTexts> hosts_;
  std::vector<HostIr> irs_;
  Bodies bodies_;
  Presence presence_;
  bool sound_ = true;
};

}  // namespace

Compilation compile_hosts(const CompileInput& input, const HostsCatalog& catalog,
                          const CompileOptions& options) {
  const Instant begin = options.clock == nullptr ? Instant{} : options.clock->now();
  OfHosts hosts(options);
  for (uint32_t h = 0; h < catalog.hosts().size(); ++h) {
    ParsedTexts texts = parse_texts(input, catalog.of_host(h), options);
    refuse_repeated(texts.exprs, texts.compatible);
    hosts.add(catalog.hosts()[h].name, std::move(texts), catalog.of_host(h));
  }
  Compilation out;
  auto merged = hosts.merge(out);
  tell_skipped_lines(hosts.first(), out);
  for (std::string& note : hosts.notes(catalog)) out.notes.push_back(std::move(note));
  if (!merged) return out;
  for (std::string& note : hosts.presence().notes()) out.notes.push_back(std::move(note));
  if (merged->roots.empty()) {
    out.failure = "nothing to evaluate: no expression, and no definition in the files";
    return out;
  }
  hosts.compile(*std::move(merged), out);
  if (options.clock != nullptr) out.compile_ms = seconds_since(begin, *options.clock) * 1e3;
  return out;
}

// A root is known by its number, for several may have the same text.
HostsCompilation compile_parsed(const std::vector<SourceText>& sources,
                                const std::vector<ParsedRoot>& roots,
                                const std::vector<SourceText>& definition_files,
                                std::span<const HostNames> hosts, const CompileOptions& options) {
  std::vector<ParsedRoot> numbered = roots;
  std::unordered_map<std::string, size_t> numbers;
  for (size_t k = 0; k < numbered.size(); ++k) {
    numbered[k].title = fmt::format("{}", k);
    numbers.emplace(numbered[k].title, k);
  }
  OfHosts all(options);
  for (const HostNames& host : hosts) {
    all.add(host.name, parsed_texts(sources, numbered, definition_files, *host.catalog, options),
            *host.catalog);
  }
  HostsCompilation out{.made = {}, .roots = std::vector<HostsRoot>(roots.size())};
  auto merged = all.merge(out.made);
  if (!merged) return out;
  const auto host_of = [&](const std::string& name) -> std::optional<uint32_t> {
    const auto found = std::ranges::find(hosts, name, &HostNames::name);
    if (found == hosts.end()) return std::nullopt;
    return static_cast<uint32_t>(found - hosts.begin());
  };
  for (uint32_t r = 0; r < merged->roots.size(); ++r) {
    RootText& text = merged->roots[r];
    const size_t number = numbers.at(text.title);
    HostsRoot& root = out.roots[number];
    root.of_host.resize(hosts.size());
    root.shared = text.shared;
    root.reduces = text.reduces;
    const auto host = host_of(text.host);
    if (text.shared) {
      root.about = host;
      std::ranges::fill(root.of_host, r);
    } else {
      root.of_host[*host] = r;
    }
    text.title = roots[number].title;
  }
  all.compile(*std::move(merged), out.made);
  return out;
}

}  // namespace pmjit
