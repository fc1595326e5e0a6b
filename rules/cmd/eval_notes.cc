// What eval says beside its results: why values are unknown, and what people may have expected.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "rules/cmd/common.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/output.h"
#include "runtime/base/near.h"
#include "runtime/exec/evaluation.h"
#include "runtime/exec/filter.h"
#include "runtime/report/reason.h"

namespace pmjit {

namespace {

// Why the first unknown values are unknown, which a second evaluation finds.
void explain_unknown(EvalJob& job, Output& output, const std::vector<std::string>& only) {
  job.reasons = true;
  const auto made = compile(job);
  if (!made || !made->ok()) return;
  const Recording& source = job.grids.empty() ? *job.recorded : *job.values;
  Rosters rosters;
  Evaluation again(made->program, source, rosters, evaluation_options_of(job, *made));
  std::optional<InstanceFilter> filter;
  if (!only.empty()) filter.emplace(only, again.names(), rosters);
  output.explain_unknown(again, rosters, filter ? &*filter : nullptr);
}

// -i leaves nothing of a result whose domain has none of the names: that is all that is said of it.
void tell_left_out(const Catalog& catalog, const std::vector<ResultInfo>& infos,
                   const std::vector<std::string>& only, UnknownShares& shares) {
  const auto names_of = [&](InDomId domain) { return catalog.names_ever(domain); };
  for (size_t k = 0; k < infos.size(); ++k) {
    const ResultInfo& info = infos[k];
    if (info.domain == kNullId || only.empty()) continue;
    std::vector<std::string> names = names_of(info.domain);
    for (const InDomId met : info.met) std::ranges::copy(names_of(met), std::back_inserter(names));
    if (names.empty() || std::ranges::find_first_of(names, only) != names.end()) continue;
    shares.leave_out(k);
    std::vector<std::string> shown;
    for (const auto& instance : catalog.instances(info.domain)) shown.push_back(instance.name);
    complain(fmt::format("note: {} has no instance {}; it has {}: nothing is shown of it",
                         name_with_host(info), fmt::join(only, " or "), first_names_text(shown)));
  }
}

// Of several archives one may end before the others: that is why its host says nothing then.
void explain_ends(const EvalJob& job, const std::vector<ResultInfo>& infos, UnknownShares& shares) {
  if (job.live || job.archives.size() < 2) return;
  const auto by_end = [](const auto& source) { return source->end(); };
  const auto [first, last] = std::ranges::minmax_element(job.archives, {}, by_end);
  for (size_t k = 0; k < infos.size(); ++k) {
    const std::string& host = infos[k].host;
    auto source = first;
    if (!host.empty()) {
      source = std::ranges::find(job.archives, host, [](const auto& of) { return of->host(); });
    }
    if (source == job.archives.end() || (*source)->end() == (*last)->end()) continue;
    shares.explain_down(
        k, fmt::format("the recording{} ends at {}", host.empty() ? " of " + (*source)->host() : "",
                       iso_local((*source)->end(), *job.zone)));
  }
}

// A host that is there, and has less time than it needs.
void explain_late(const EvalJob& job, const std::vector<ResultInfo>& infos, UnknownShares& shares) {
  if (!job.live) return;
  for (size_t k = 0; k < infos.size(); ++k) {
    for (const auto& member : job.live->fleet().members()) {
      const bool is_of = infos[k].host.empty() || infos[k].host == member->name;
      if (!is_of || !member->feeds.health().late()) continue;
      shares.explain_down(k,
                          fmt::format("{} did not answer before the next time was due: it hangs, "
                                      "or needs a longer interval (-t)",
                                      member->name));
    }
  }
}

// Who prints a table need not change the format to hear more.
std::string_view hint_at_reasons(const EvalJob& job) {
  if (job.format.reasons == Format::Reasons::always || job.options.reasons) return "";
  const bool has_place = job.format.reasons == Format::Reasons::on_request;
  return has_place ? "; --reasons says which" : "; -o json says which";
}

// -t 5min of twelve minutes with an interruption: no two times have one recording between them. "":
// there are values, or no rates.
std::string_view help_with_rates(const EvalJob& job, const Output& output,
                                 const std::vector<std::string>& lines) {
  const auto is_first = [](const std::string& line) {
    return line.contains(reason_text(kFirstSample));
  };
  const bool nothing = !job.grids.empty() && output.times() > 1 && output.shares().lanes() == 0;
  if (!nothing || std::ranges::none_of(lines, is_first)) return "";
  return "\n  help: a rate needs values at two times in a row; a shorter -t gives more";
}

// "x", "x and 3 more"
std::string first_of(const std::string& name, std::ptrdiff_t all) {
  return all == 1 ? name : fmt::format("{} and {} more", name, all - 1);
}

}  // namespace

void find_reasons(EvalJob& job, Output& output, const std::vector<std::string>& only) {
  if (!output.shares().wants_reasons() || job.live) return;
  try {
    explain_unknown(job, output, only);
  } catch (const ReadingStopped&) {
    // Who interrupts now has all values.
  }
}

// Results that are unknown so often that an output without them could be taken for the whole.
void report_unknown(EvalJob& job, Output& output, const std::vector<ResultInfo>& infos,
                    const std::vector<std::string>& only) {
  tell_left_out(job.catalog(), infos, only, output.shares());
  find_reasons(job, output, only);
  explain_ends(job, infos, output.shares());
  explain_late(job, infos, output.shares());
  const auto lines = output.shares().lines(infos, hint_at_reasons(job));
  const std::string_view help = help_with_rates(job, output, lines);
  for (const std::string& line : lines) {
    complain(fmt::format("note: {}{}", line, &line == &lines.back() ? help : ""));
  }
  for (const std::string& line : output.shares().empty_lines(infos)) {
    complain(
        fmt::format("note: {}, because an operand has no value at that time or before it", line));
  }
}

void report_no_rows(const EvalJob& job, const Program& program, const Output& output) {
  if (job.live || !job.grids.empty() || output.times() > 0) return;
  const std::string note = note_of_empty_window(job, program);
  if (!note.empty()) complain("note: " + note);
}

// Derived metrics of PCP's dialects, at the times of the records.
void hint_at_grid(const EvalJob& job, const Program& program) {
  if (job.live || !job.grids.empty() || job.several_hosts()) return;
  const std::string note = note_of_groups(program, *job.recorded);
  if (!note.empty()) complain("note: " + note);
}

// A counter says little to people.
void hint_at_rates(const EvalJob& job, const std::vector<ResultInfo>& infos) {
  const EvalOptions& options = job.options;
  if (job.format.name != "table" || options.shows_rates() || options.raw) return;
  const auto is_counter = [](const ResultInfo& info) {
    return info.semantics == Semantics::counter;
  };
  const auto first = std::ranges::find_if(infos, is_counter);
  if (first == infos.end()) return;
  const auto count = std::ranges::count_if(infos, is_counter);
  complain(fmt::format("note: {} {}: add --rate for changes per second",
                       first_of(first->name, count), count == 1 ? "is a counter" : "are counters"));
}

// At the recorded times of several metrics a row repeats what was not recorded then.
void hint_at_repeats(const EvalJob& job, const std::vector<ResultInfo>& infos) {
  if (job.format.name != "table" || job.live || !job.grids.empty()) return;
  const auto repeats = [](const ResultInfo& info) { return info.semantics == Semantics::discrete; };
  const auto count = std::ranges::count_if(infos, repeats);
  if (count == 0 || count == std::ssize(infos)) return;
  complain(fmt::format(
      "note: {} {} recorded once, or when there is a change: the rows of the "
      "others repeat the last value",
      first_of(std::ranges::find_if(infos, repeats)->name, count), count == 1 ? "is" : "are"));
}

}  // namespace pmjit
