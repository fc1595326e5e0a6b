#include "rules/cmd/report_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "rules/cmd/common.h"
#include "rules/cmd/text_file.h"
#include "rules/reports/report_list.h"
#include "runtime/base/near.h"
#include "runtime/text/parse_units.h"

namespace pmjit {

namespace {

// Messages of a compiler are no sentence of ours: they end in a line of their own.
Error as_printed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return {Fault::usage, std::move(text)};
}

// "did you mean disk.dev.write?"
std::string near_names_of(const Diag& diag) {
  return diag.labels.empty() ? "" : diag.labels.front().text;
}

class ColumnsMaker {
 public:
  ColumnsMaker(const NamedReport& report, const ColumnsWanted& wanted)
      : report_(report), wanted_(wanted), input_(wanted.definitions) {
    out_.layout = report.layout;
    for (size_t c = 0; c < report.exprs.size(); ++c) columns_.push_back(c);
  }

  Result<ReportColumns> make() {
    if (auto left = leave_out_missing(); !left) return fail(left.error());
    if (columns_.empty()) {
      return fail(Error(Fault::not_found,
                        fmt::format("no column of the report is left: {}", missing_text()))
                      .help("`pmjit info` lists what there is"));
    }
    const Compilation made = compiled(distinct_texts());
    if (!made.ok()) return fail(as_printed(made.rendered() + made.failure));
    auto infos = infos_of_columns(*made.program);
    if (!infos) return fail(infos.error());
    for (const ProgramOperand& operand : made.program->operands) {
      out_.metrics.push_back(operand.desc.pmid);
    }
    return with_units(*infos);
  }

 private:
  // A metric, and what may have been meant: "did you mean disk.dev.write?", or nothing.
  struct Missing {
    std::string metric, near;
  };

  Compilation compiled(std::vector<SourceText> texts) {
    input_.expressions = std::move(texts);
    return wanted_.compile(input_);
  }

  // Of columns that name metrics which are not there; an error: something else is wrong.
  Result<void> leave_out_missing() {
    std::vector<SourceText> texts;
    for (const ReportExpr& expr : report_.exprs) texts.push_back(expr.source);
    if (compiled(std::move(texts)).ok()) return {};
    std::string wrong;
    std::vector<std::string> headers;
    std::erase_if(columns_, [&](size_t c) {
      const Compilation alone = compiled({report_.exprs[c].source});
      if (alone.ok()) return false;
      if (lacks_metrics(alone)) {
        headers.push_back(report_.layout.columns[c].header);
        return true;
      }
      wrong += mistakes_in(alone, c) + alone.failure;
      return false;
    });
    if (!wrong.empty()) return fail(as_printed(std::move(wrong)));
    std::vector<ReportColumn> left;
    for (const size_t c : columns_) left.push_back(report_.layout.columns[c]);
    out_.layout.columns = std::move(left);
    if (!headers.empty()) {
      out_.notes.push_back(fmt::format("{} {} left out: {}", first_few_text(headers),
                                       headers.size() == 1 ? "is" : "are", missing_text()));
    }
    return {};
  }

  // Reports of pmjit have no mistakes: an archive lacks what it lacks.
  [[nodiscard]] std::string missing_text() const {
    std::vector<std::string> names;
    for (const Missing& one : missing_) {
      const bool may_be_mistake = report_.is_own && !one.near.empty();
      names.push_back(may_be_mistake ? fmt::format("{} ({})", one.metric, one.near) : one.metric);
    }
    return fmt::format("{} {}", wanted_.host.empty() ? "no host has" : wanted_.host + " has no",
                       first_few_text(names));
  }

  // True: nothing else is wrong, and missing_ has them.
  bool lacks_metrics(const Compilation& made) {
    std::vector<Missing> found;
    for (const Compilation::Report& report : made.reports) {
      for (const Diag& diag : report.diags.all()) {
        if (diag.severity != Severity::error) continue;
        if (diag.code != DiagCode::S_NoSuchMetric) return false;
        found.push_back(
            {.metric = report.source.text.substr(diag.span.begin, diag.span.end - diag.span.begin),
             .near = near_names_of(diag)});
      }
    }
    const bool lacks = !found.empty();
    for (Missing& one : found) {
      const bool is_new =
          std::ranges::find(missing_, one.metric, &Missing::metric) == missing_.end();
      if (is_new) missing_.push_back(std::move(one));
    }
    return lacks;
  }

  // With the lines of the file.
  [[nodiscard]] std::string mistakes_in(const Compilation& made, size_t c) const {
    const SourceText& ours = report_.exprs[c].source;
    std::string out;
    for (const Compilation::Report& report : made.reports) {
      const bool is_ours = report.source.text == ours.text && report.source.name == ours.name;
      SourceText shown = report.source;
      if (is_ours && report_.exprs[c].has_place) shown = report_.file;
      out += render_all(report.diags, shown);
    }
    return out;
  }

  // Of columns with the same expression the texts differ, for results are known by their text.
  std::vector<SourceText> distinct_texts() {
    std::set<std::string> seen;
    for (const size_t c : columns_) {
      std::string text = report_.exprs[c].text;
      while (!seen.insert(text).second) text = "(" + text + ")";
      out_.expressions.push_back(std::move(text));
    }
    return source_texts();
  }
  [[nodiscard]] std::vector<SourceText> source_texts() const {
    std::vector<SourceText> texts;
    for (const std::string& text : out_.expressions) {
      texts.push_back({.name = report_.file.name, .text = text});
    }
    return texts;
  }

  [[nodiscard]] Error at_column(size_t column, ConfigPlace place, const std::string& what,
                                std::string help) const {
    ConfigProblems own;
    ConfigProblems& problems = wanted_.problems != nullptr ? *wanted_.problems : own;
    const uint32_t source = wanted_.problems != nullptr ? 0 : own.add_source(report_.file);
    problems
        .add(ProblemCode::out_of_range, {source, place.span},
             fmt::format("column \"{}\": {}", out_.layout.columns[column].header, what))
        .help(std::move(help));
    return as_printed(problems.text());
  }

  // Of each column, of its first host.
  Result<std::vector<ResultInfo>> infos_of_columns(const Program& program) const {
    std::vector<std::optional<ResultInfo>> found(out_.expressions.size());
    std::string other;
    for (const ProgramRoot& root : program.roots) {
      const auto at = std::ranges::find(out_.expressions, root.info.name);
      const auto c = static_cast<size_t>(at - out_.expressions.begin());
      if (c == found.size()) {
        if (other.empty()) other = root.info.name;
      } else if (!found[c]) {
        found[c] = root.info;
      }
    }
    std::vector<ResultInfo> out;
    for (size_t c = 0; c < found.size(); ++c) {
      // A name above metrics stands for several.
      if (!found[c]) {
        return fail(at_column(c, report_.exprs[columns_[c]].place,
                              "the expression names several metrics",
                              fmt::format("write a column for each, as for {}", other)));
      }
      out.push_back(*std::move(found[c]));
    }
    return out;
  }

  Result<ReportColumns> with_units(const std::vector<ResultInfo>& infos) {
    for (size_t c = 0; c < infos.size(); ++c) {
      const ReportExpr& expr = report_.exprs[columns_[c]];
      std::string& text = out_.expressions[c];
      Units units = infos[c].units;
      if (infos[c].semantics == Semantics::counter) {
        if (wanted_.raw) continue;
        text = fmt::format("rate({})", text);
        units = rate_units(units);
      }
      if (expr.unit.empty()) continue;
      const Units asked = parse_units(expr.unit, ExtraUnits::known)->units;
      if (asked == units) continue;
      if (!is_number(infos[c].elem) || !same_dimensions(asked, units)) {
        const std::string has = units_text(units);
        return fail(at_column(c, expr.unit_place,
                              fmt::format("values {} cannot be shown in {}",
                                          has.empty() ? "without a unit" : "in " + has, expr.unit),
                              "choose a unit that fits, or leave `unit` out"));
      }
      text = fmt::format("rescale({}, \"{}\")", text, expr.unit);
    }
    return std::move(out_);
  }

  // rate() of time is a ratio.
  static Units rate_units(Units units) {
    if (units.dim_time == 1 && units.dim_space == 0 && units.dim_count == 0) return {};
    if (units.dim_time == 0) units.scale_time = kTimeScaleSec;
    units.dim_time = static_cast<int8_t>(units.dim_time - 1);
    return units;
  }

  const NamedReport& report_;
  const ColumnsWanted& wanted_;
  CompileInput input_;
  std::vector<size_t> columns_;  // of the report, without those that are left out
  std::vector<Missing> missing_;
  ReportColumns out_;
};

Result<std::string> read_report_file(const std::string& path) {
  return read_user_file(path, FileKind::reports);
}

}  // namespace

CommandOption report_option(std::string& report) {
  return {.names = "-p,--report",
          .target = &report,
          .value = "REPORT",
          .what = "a report: vmstat, iostat, sar-d, … or ./mine.toml",
          .wrong = [](const std::string& name) -> std::string {
            return name.empty() ? "is not a report; pmjit explain reports lists all" : "";
          },
          .excludes = {"--sweep", "--dialect", "--compat"},
          .daily = true,
          .more =
              "`pmjit explain reports` lists all. Your own are files "
              "~/.config/pmjit/reports/NAME.toml, or named by their paths. Over an archive the "
              "interval is that of its records unless `-t` says another one. pmjit leaves out "
              "columns whose metrics are missing, and says so."};
}

Result<NamedReport> open_report(const std::string& word) {
  auto file = find_report(word, read_report_file);
  if (!file) return fail(file.error());
  ConfigProblems problems;
  auto report = read_report(problems.add_source(std::move(file->file)), problems);
  if (!report) return fail(as_printed(problems.text()));
  report->is_own = file->is_own;
  return *std::move(report);
}

void complain_of_report(const Error& error) {
  const std::string text = error.text();
  if (text.starts_with("error[")) return say(text + "\n");
  complain(text);
}

void ReportColumns::name_results(std::vector<ResultInfo>& infos) {
  layout.column_of.clear();
  for (ResultInfo& info : infos) {
    const auto found = std::ranges::find(expressions, info.name);
    const auto c = static_cast<size_t>(found - expressions.begin());
    layout.column_of.push_back(std::min(c, layout.columns.size() - 1));
    if (found != expressions.end()) info.name = layout.columns[c].header;
  }
}

std::string ReportColumns::with_headers(std::string note) const {
  constexpr std::string_view kBetween = ", ";
  for (size_t at = 0; at < note.size();) {
    const std::string_view rest = std::string_view(note).substr(at);
    const auto named = std::ranges::find_if(expressions, [&](const std::string& one) {
      return rest.starts_with(one) && rest.size() > one.size() &&
             std::string_view(" ,").contains(rest[one.size()]);
    });
    if (named == expressions.end()) break;
    const std::string& header =
        layout.columns[static_cast<size_t>(named - expressions.begin())].header;
    note.replace(at, named->size(), header);
    at += header.size();
    if (!note.substr(at).starts_with(kBetween)) break;
    at += kBetween.size();
  }
  return note;
}

Result<ReportColumns> columns_over(const NamedReport& report, const ColumnsWanted& wanted) {
  return ColumnsMaker(report, wanted).make();
}

}  // namespace pmjit
