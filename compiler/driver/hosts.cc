#include "compiler/driver/hosts.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "compiler/driver/merge_hosts.h"
#include "compiler/driver/parsed_texts.h"
#include "compiler/sema/repeated.h"

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
    std::vector<std::string> out;
    for (const std::string& title : titles_) {
      const std::vector<std::string>& lacking = lacking_.at(title);
      if (lacking.empty()) continue;
      out.push_back(fmt::format("{} has no values on {}: a metric is not there", title,
                                fmt::join(lacking, ", ")));
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

HostIr lowered(const CheckedTexts& checked, const std::string& name,
               const std::vector<uint32_t>& roots, const CompileOptions& options) {
  const ParsedTexts& texts = checked.texts;
  Lowered made = lower(checked.sema, roots,
                       {.counter_wrap = options.counter_wrap, .on_grid = options.on_grid});
  HostIr out{.name = name, .ir = std::move(made.ir)};
  for (const HostsNode& at : made.hosts) {
    const std::string& defined = texts.exprs[at.expr].name;
    out.hosts.emplace_back(at.node, fmt::format("{}:{}:{}", defined.empty() ? "=" : "",
                                                texts.titles[at.expr], at.at.index));
  }
  for (const uint32_t root : roots) {
    out.roots.push_back({.title = texts.titles[root], .met = checked.sema.root(root).met});
  }
  return out;
}

}  // namespace

Compilation compile_hosts(const CompileInput& input, const HostsCatalog& catalog,
                          const CompileOptions& options) {
  const Instant begin = options.clock == nullptr ? Instant{} : options.clock->now();
  std::deque<CheckedTexts> of_hosts;
  std::vector<HostIr> irs;
  Bodies bodies;
  Presence presence;
  Compilation out;
  bool sound = true;
  for (uint32_t h = 0; h < catalog.hosts().size(); ++h) {
    const std::string& name = catalog.hosts()[h].name;
    ParsedTexts texts = parse_texts(input, catalog.of_host(h), options);
    refuse_repeated(texts.exprs, texts.compatible);
    CheckedTexts& checked = of_hosts.emplace_back(std::move(texts), catalog.of_host(h), options);
    sound = sound && checked.only_lacks_metrics();
    std::vector<uint32_t> roots;
    for (const uint32_t root : checked.texts.roots) {
      const bool there = checked.texts.names_known && !checked.sema.root(root).failed;
      presence.add(checked.texts.titles[root], name, there);
      if (there) roots.push_back(root);
    }
    if (!sound) continue;
    irs.push_back(lowered(checked, name, roots, options));
    irs.back().first_body = static_cast<uint32_t>(bodies.size());
    for (auto& body : bodies_of(checked.texts)) bodies.push_back(std::move(body));
  }
  const ParsedTexts& first = of_hosts.front().texts;
  out.notes = first.mistakes;
  out.notes.insert(out.notes.end(), first.notes.begin(), first.notes.end());
  if (const CheckedTexts* blamed = whom_to_blame(of_hosts, presence)) {
    out.reports.assign(blamed->texts.reports.begin(), blamed->texts.reports.end());
    return out;
  }
  for (const Compilation::Report& report : first.reports) {
    if (!report.diags.has_errors()) out.reports.push_back(report);
  }
  for (std::string& note : presence.notes()) out.notes.push_back(std::move(note));
  auto merged = merge_hosts(irs);
  if (!merged) {
    out.failure = merged.error().text();
    return out;
  }
  if (merged->roots.empty()) {
    out.failure = "nothing to evaluate: no expression, and no definition in the files";
    return out;
  }
  compile_ir(std::move(merged->ir), std::move(merged->roots), bodies, options, out);
  if (options.clock != nullptr) out.compile_ms = seconds_since(begin, *options.clock) * 1e3;
  return out;
}

}  // namespace pmjit
