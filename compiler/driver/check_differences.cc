#include "compiler/driver/parsed_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "compiler/diag/line_starts.h"
#include "compiler/differences/definitions/definition_differences.h"
#include "compiler/differences/definitions/explain_refused.h"
#include "compiler/parse/parse.h"
#include "compiler/sema/names.h"
#include "runtime/base/blanks.h"
#include "runtime/base/near.h"
#include "runtime/model/desc.h"

namespace pmjit {

namespace {

// The metrics of a catalog and those that texts define.
class TextMetrics final : public KnownMetrics {
 public:
  TextMetrics(const ParsedTexts& texts, const Catalog* catalog, Dialect dialect)
      : texts_(texts), catalog_(catalog), dialect_(dialect) {}

  Metric metric(const std::string& name) const override {
    if (catalog_ != nullptr) {
      if (auto desc = catalog_->describe(name)) return {Kind::recorded, *desc};
    }
    if (texts_.files->find(name, dialect_) == nullptr) {
      return {catalog_ != nullptr ? Kind::missing : Kind::unknown};
    }
    const CompatibleMetric* bound = texts_.compatible.find(name);
    if (catalog_ == nullptr || bound == nullptr || !bound->body) return {Kind::derived};
    return {Kind::derived, bound->desc};
  }
  bool equivalent(InDomId a, InDomId b) const override { return texts_.files->equivalent(a, b); }
  bool interrupted() const override { return texts_.interrupted; }
  const std::vector<std::string>* instances(InDomId indom) const override {
    if (catalog_ == nullptr) return nullptr;
    const auto [found, is_new] = instances_.try_emplace(indom);
    if (is_new) {
      for (const auto& one : catalog_->instances(indom)) found->second.push_back(one.name);
    }
    return &found->second;
  }

 private:
  const ParsedTexts& texts_;
  const Catalog* catalog_;
  Dialect dialect_;
  mutable std::map<InDomId, std::vector<std::string>> instances_;  // asked for before
};

// What is told of a name alone: how a metric is recorded. A definition is told where it stands, and
// of what is not there, or has no values, nothing can be asked in strict either.
class RecordedAlone final : public KnownMetrics {
 public:
  explicit RecordedAlone(const KnownMetrics& all) : all_(all) {}

  Metric metric(const std::string& name) const override {
    Metric found = all_.metric(name);
    if (found.kind != Kind::recorded) return {};
    const auto elem = elem_from_pm(found.desc->pm_type);
    const bool told = elem && (is_number(*elem) || *elem == Elem::text);
    return told ? found : Metric{};
  }
  bool equivalent(InDomId a, InDomId b) const override { return all_.equivalent(a, b); }
  bool interrupted() const override { return all_.interrupted(); }
  const std::vector<std::string>* instances(InDomId indom) const override {
    return all_.instances(indom);
  }

 private:
  const KnownMetrics& all_;
};

// Of everything that is told of an expression: are the metadata of its metrics known?
bool knows_all(const Ast& ast, const KnownMetrics& metrics) {
  return std::ranges::all_of(ast.exprs, [&](const Expr& expr) {
    return expr.kind != ExprKind::name || metrics.metric(expr.text).desc.has_value();
  });
}

void set_levels(bool known, std::string_view text, Diags& diags) {
  Diags out;
  for (Diag diag : diags.all()) {
    const Span span = diag.span;
    set_level(known, text.substr(span.begin, span.end - span.begin), diag);
    out.append(diag);
  }
  diags = std::move(out);
}

// One file of definitions. Each of its lines is a text of its own, so that a place in a long file
// is found without reading the file.
class FileDifferences {
 public:
  FileDifferences(const CompatibleFiles::File& file, const ParsedTexts& texts,
                  const Catalog* catalog, FoundInTexts& out)
      : file_(file),
        texts_(texts),
        catalog_(catalog),
        metrics_(texts, catalog, file.dialect),
        out_(out),
        starts_(file.source.text) {}

  void run() {
    const auto first = std::ranges::find_if(file_.lines, is_definition);
    if (first != file_.lines.end()) first_definition_ = first->span.begin;
    size_t working = 0;
    for (const ReadLine& line : file_.lines) {
      working += works(line) ? 1 : 0;
      if (is_definition(line)) names_.insert(line.name);
    }
    const ReadLine* before = nullptr;
    for (size_t i = 0; i < file_.lines.size(); ++i) {
      const ReadLine& line = file_.lines[i];
      Diags found, wrong;
      const bool others_run = mistaken(line) && working > 0;
      if (others_run) found.add_here(DiagCode::D_OthersRun, line.span);
      add_line(line, found);
      const bool joins = before != nullptr && meant_to_join(*before, line);
      if (!joins) add_mistake(line, wrong);
      const bool goes_on =
          !joins && i + 1 < file_.lines.size() && meant_to_join(line, file_.lines[i + 1]);
      if (goes_on) explain_next_line(line, wrong);
      if (!joins) before = &line;
      // What is wrong with it is enough.
      if (mistaken(line)) {
        Diags quiet;
        for (Diag diag : found.all()) {
          diag.severity = Severity::note;
          quiet.append(diag);
        }
        found = std::move(quiet);
      }
      report(line.span, found, out_.told);
      report(line.span, wrong, out_.mistakes);
    }
    Diags found;
    if (file_.not_read != Span{}) found.add_here(DiagCode::D_NoNewline, file_.not_read);
    set_levels(true, file_.source.text, found);
    report(file_.not_read, found, out_.told);
  }

 private:
  static bool is_definition(const ReadLine& line) {
    return line.kind == ReadLine::Kind::definition;
  }
  [[nodiscard]] bool works(const ReadLine& line) const {
    return is_definition(line) && !mistaken(line);
  }
  // Strict would refuse the file for it.
  [[nodiscard]] bool mistaken(const ReadLine& line) const {
    if (!is_definition(line)) {
      // To strict a line of blanks is empty.
      const bool blank =
          text_of(line.span).find_first_not_of(" \t\v\f\r") == std::string_view::npos;
      return line.kind == ReadLine::Kind::refused && !blank;
    }
    if (line.wrong || line.repeated) return true;
    if (catalog_ == nullptr || catalog_->describe(line.name)) return false;
    const CompatibleMetric* bound = texts_.compatible.find(line.name);
    return bound != nullptr && !bound->body;
  }
  [[nodiscard]] std::string_view text_of(Span span) const {
    return std::string_view(file_.source.text).substr(span.begin, span.end - span.begin);
  }

  // A refused line that was meant to go on with the line above. One message is enough for both.
  [[nodiscard]] bool meant_to_join(const ReadLine& before, const ReadLine& line) const {
    if (line.kind != ReadLine::Kind::refused || !is_definition(before)) return false;
    if (!before.wrong) return false;
    const std::string_view above = without_blanks(text_of(before.span));
    return (!above.empty() && std::string_view("\\+-*/?:&|<>=!(,").contains(above.back())) ||
           continues(text_of(line.span));
  }

  // The message about a \ says what to do.
  void explain_next_line(const ReadLine& line, Diags& wrong) const {
    Diags out;
    const bool slash = without_blanks(text_of(line.span)).ends_with('\\');
    for (Diag diag : wrong.all()) {
      if (!slash) diag.helps = {"a definition is one line: put what follows behind it"};
      out.append(diag);
    }
    wrong = std::move(out);
  }

  // Where a name was defined before.
  [[nodiscard]] std::string first_of(const ReadLine& line) const {
    const std::string own = fmt::format("{}:{}", file_.source.name,
                                        line_column(file_.source, starts_, line.span.begin).line);
    for (const Dialect dialect : {file_.dialect, Dialect::pcp6, Dialect::pcp7}) {
      const DerivedMetric* metric = texts_.files->find(line.name, dialect);
      if (metric == nullptr || metric->place == own) continue;
      if (metric->place.empty()) return "PCP itself defines it; ";
      return fmt::format("the first one is in {}; ", metric->place);
    }
    return {};
  }

  // What libpcp skips it for. What another archive may well have is a warning.
  void add_mistake(const ReadLine& line, Diags& found) const {
    if (line.kind == ReadLine::Kind::refused) {
      explain_line(line, found.add(DiagCode::P_ConfigLine, line.span, line.why_refused));
      return;
    }
    if (!is_definition(line)) return;
    if (line.repeated) {
      found.add(DiagCode::S_Duplicate, line.name_span, line.name)
          .help(first_of(line) + "PCP keeps the first definition and ignores this one");
      return;
    }
    if (line.wrong) {
      const auto at = static_cast<uint32_t>(std::max<int64_t>(0, line.wrong->offset));
      const std::string_view why = line.wrong->message;
      Diag& diag = found.add(DiagCode::P_Syntax, line.in_file({at, at + 1}),
                             why.empty() ? "this does not fit in the expression" : why);
      explain_refused(line.expression, [&](Span within) { return line.in_file(within); }, diag);
      return;
    }
    const CompatibleMetric* bound = texts_.compatible.find(line.name);
    if (catalog_ == nullptr || bound == nullptr || bound->body || bound->place.empty()) return;
    if (catalog_->describe(line.name)) return;
    Diag& diag = found.add(DiagCode::S_Unusable, line.name_span, line.name, bound->why_not);
    // Without the name: the same of several definitions is one cause.
    if (!bound->elsewhere) {
      diag.message = fmt::format("this definition cannot be used: {}", bound->why_not);
    }
    if (!bound->way_out.empty()) diag.help(bound->way_out);
    if (!bound->elsewhere) return;
    diag.severity = Severity::warning;
    explain_missing(line, bound->why_not, diag);
  }

  [[nodiscard]] bool below_definition(const ReadLine& line) const {
    return first_definition_ && *first_definition_ < line.span.begin;
  }

  // A line that begins with an operator, or with a blank.
  static bool continues(std::string_view line) {
    return !line.empty() && std::string_view(" \t+-*/?:&|<>=!)").contains(line.front());
  }

  // What libpcp says of a line, for people.
  void explain_line(const ReadLine& line, Diag& diag) const {
    const std::string_view text = text_of(line.span);
    const bool no_equals = diag.message.starts_with("missing ``='");
    const bool no_name = diag.message.starts_with("illegal derived metric name");
    const std::string meant = no_equals || no_name ? parse::line_meant(text) : "";
    if (text.starts_with("//") || text.starts_with("/*") || text.starts_with(';')) {
      diag.message = "a comment begins with #";
    } else if (!meant.empty()) {
      diag.message = no_equals ? "this line has no =" : "this is not a metric name";
      diag.help(meant);
    } else if (no_equals && continues(text) && below_definition(line)) {
      diag.message = "no definition goes on in the next line";
      diag.help("put this behind the line above");
    } else if (no_equals) {
      diag.message = "this line has no =";
      diag.help(text.contains("(oneline)") || text.contains("(helptext)")
                    ? "a text about a metric is NAME(oneline) = text"
                    : "a definition is NAME = EXPRESSION");
    } else if (diag.message.starts_with("missing termination")) {
      diag.help("a text in quotes ends with a quote; one without quotes ends with its line");
    } else if (diag.message.starts_with("missing ')' after attribute")) {
      diag.help(
          "a definition has no settings: NAME = EXPRESSION, and NAME(oneline) = TEXT below it");
    } else if (diag.message.starts_with("expression missing")) {
      diag.help("a definition is NAME = EXPRESSION");
    } else if (diag.message.starts_with("cannot set attribute")) {
      const bool above = names_.contains(attributed(text));
      const std::string near = above ? "" : near_names_text(near_definitions(attributed(text)));
      diag.help(above          ? "put this line below the definition of its metric"
                : near.empty() ? "write the line NAME = EXPRESSION above it; only a metric that it "
                                 "defines has texts"
                               : near);
    } else if (diag.message.starts_with("attribute (")) {
      const size_t end = diag.message.find(')');
      const std::string near = near_names_text(
          near_names(std::string_view(diag.message).substr(11, end - 11), {"oneline", "helptext"}));
      diag.help(near.empty() ? "the attributes are oneline and helptext" : near);
    } else if (no_name) {
      diag.help("a name is letters, digits and _, with a dot between two words: my.metric");
    }
  }

  // my.ops(oneline) = text
  static std::string attributed(std::string_view line) {
    return std::string(without_blanks(line.substr(0, line.find('('))));
  }
  [[nodiscard]] std::vector<std::string> near_definitions(const std::string& name) const {
    if (offers_left_ == 0) return {};
    --offers_left_;
    return near_names(name, {names_.begin(), names_.end()});
  }

  // Of one metric that is not there that is what is said.
  void explain_missing(const ReadLine& line, std::string_view why, Diag& diag) const {
    const DerivedMetric* metric = texts_.files->find(line.name, file_.dialect);
    if (metric == nullptr || metric->expression == nullptr) return;
    for (const Expr& expr : metric->expression->exprs) {
      const bool missing = expr.kind == ExprKind::name &&
                           metrics_.metric(expr.text).kind == KnownMetrics::Kind::missing;
      if (!missing || why.find(expr.text) == why.npos) continue;
      diag.span = line.in_file(expr.text_span);
      diag.message =
          fmt::format("there is no metric {}, so {} has no values", expr.text, line.name);
      std::vector<std::string> near = near_names(*catalog_, expr.text);
      keep_slips(expr.text, near);
      if (const auto below = catalog_->leaves(expr.text); !below.empty()) {
        diag.help(fmt::format("it is the beginning of several names, such as {}", below.front()));
      } else if (const std::string meant = instance_meant(expr.text, *catalog_); !meant.empty()) {
        diag.help(meant);
      } else if (!near.empty() && !is_of_missing_folder(line.name, expr.text)) {
        diag.label(diag.span, near_names_text(near));
      }
      return;
    }
  }

  // disk.dm.await of disk.dm.total, where there is no disk.dm: no slip, but another archive is
  // meant.
  [[nodiscard]] bool is_of_missing_folder(const std::string& defined,
                                          const std::string& missing) const {
    const auto folder = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
    return folder(defined) == folder(missing) && catalog_->leaves(folder(missing)).empty();
  }

  // Everything that is told of it has its level.
  void add_line(const ReadLine& line, Diags& found) const {
    Diags of_line;
    add_rows(line, of_line);
    const DerivedMetric* metric =
        is_definition(line) ? texts_.files->find(line.name, file_.dialect) : nullptr;
    const bool parsed = metric != nullptr && metric->expression != nullptr;
    const bool known = !parsed || knows_all(*metric->expression, metrics_);
    set_levels(catalog_ != nullptr && known, file_.source.text, of_line);
    for (const Diag& diag : of_line.all()) found.append(diag);
    if (is_definition(line) && !line.repeated) add_hidden(line, found);
  }

  // disk.dev = …, where the archive has disk.dev.read: no metric below that name can be asked for.
  void add_hidden(const ReadLine& line, Diags& found) const {
    if (catalog_ == nullptr || catalog_->describe(line.name)) return;
    const std::vector<std::string> below = catalog_->leaves(line.name);
    if (below.empty()) return;
    Diag& diag = found.add_here(DiagCode::S_HidesMetric, line.name_span);
    diag.severity = Severity::warning;
    diag.message =
        fmt::format("there are metrics below the name {}, such as {}", line.name, below.front());
    diag.help("give the definition another name");
  }

  void add_rows(const ReadLine& line, Diags& found) const {
    if (line.kind == ReadLine::Kind::comment) return add_comment(line.span, found);
    const bool quoted = line.kind == ReadLine::Kind::quoted_attribute;
    if (file_.dialect == Dialect::pcp6 && text_of(line.span).ends_with('\\') && !quoted) {
      found.add_here(DiagCode::D_Continuation, Span{line.span.end - 1, line.span.end},
                     "continuation needs 6.2.2");
    }
    for (const Span part : line.ignored) {
      found.add_here(DiagCode::P_ConfigLine, part, "this is ignored");
    }
    if (!is_definition(line)) return;
    if (line.name.ends_with('.')) {
      found.add_here(DiagCode::P_ConfigLine, line.name_span, "a name may end with a dot");
    }
    if (line.repeated) {
      found.add_here(DiagCode::S_Duplicate, line.name_span);
      return;
    }
    if (catalog_ != nullptr && catalog_->describe(line.name)) {
      found.add_here(DiagCode::S_HidesMetric, line.name_span);
    }
    Diags of_expression;
    if (line.wrong) {
      add_refused(line.expression, file_.dialect, line.in_pattern, of_expression);
    } else if (const DerivedMetric* metric = texts_.files->find(line.name, file_.dialect);
               metric != nullptr && metric->expression != nullptr) {
      add_differences(*metric->expression, {.dialect = file_.dialect, .known = metrics_},
                      of_expression);
    }
    for (Diag diag : of_expression.all()) {
      diag.span = line.in_file(diag.span);
      for (DiagLabel& label : diag.labels) label.span = line.in_file(label.span);
      found.append(diag);
    }
  }

  // In pcp7 it may have taken in others.
  void add_comment(Span comment, Diags& found) const {
    const std::string_view file = file_.source.text;
    for (uint32_t at = comment.begin; at < comment.end && file[at] == '#' && found.empty();) {
      const auto end = static_cast<uint32_t>(std::min(file.find('\n', at), file.size()));
      if (parse::comment_would_join(file, {at, end})) {
        found.add_here(DiagCode::D_Continuation, Span{end - 1, end},
                       file_.dialect == Dialect::pcp6
                           ? "since 6.2.2 the next line is part of this comment"
                           : "the next line is part of this comment here");
      }
      at = end + 1;
    }
  }

  void report(Span line, const Diags& found, std::deque<Compilation::Report>& reports) {
    if (found.empty()) return;
    auto& out = reports.emplace_back();
    out.source = {.name = file_.source.name,
                  .text = std::string(text_of(line)),
                  .first_line = line_column(file_.source, starts_, line.begin).line};
    const auto moved = [&](Span span) {
      return Span{span.begin - line.begin, span.end - line.begin};
    };
    for (Diag diag : found.all()) {
      diag.span = moved(diag.span);
      for (DiagLabel& label : diag.labels) label.span = moved(label.span);
      out.diags.append(diag);
    }
  }

  const CompatibleFiles::File& file_;
  const ParsedTexts& texts_;
  const Catalog* catalog_;
  TextMetrics metrics_;
  FoundInTexts& out_;
  LineStarts starts_;
  std::set<std::string> names_{};  // that are defined
  std::optional<uint32_t> first_definition_{};
  mutable size_t offers_left_ = kNearAskedMax;
};

// As libpcp takes them: by its first word.
bool has_instance(const std::vector<std::string>& names, const std::string& wanted) {
  const auto first_word = [](const std::string& name) { return name.substr(0, name.find(' ')); };
  const std::string word = first_word(wanted);
  return std::ranges::any_of(names, [&](const auto& name) { return first_word(name) == word; });
}

// The first instance that is selected and was never there.
bool refuse_instance(const Ast& ast, const TextMetrics& metrics, Diags& diags) {
  for (const Expr& expr : ast.exprs) {
    if (expr.kind != ExprKind::instance) continue;
    const Expr& of = ast.exprs[ast.args_of(expr)[0]];
    if (of.kind != ExprKind::name) continue;
    const auto desc = metrics.metric(of.text).desc;
    if (!desc || desc->indom == kNullId) continue;
    std::vector<std::string> names = *metrics.instances(desc->indom);
    if (has_instance(names, expr.text)) continue;
    const std::string near = near_names_text(near_names(expr.text, names));
    constexpr size_t kListedMax = 6;
    const bool more = names.size() > kListedMax;
    names.resize(std::min(names.size(), kListedMax));
    Diag& diag = diags.add(DiagCode::S_NoSuchInstance, expr.op_span, expr.text, of.text);
    diag.message = fmt::format("{} has no instance {}", of.text, expr.text);
    if (!near.empty()) diag.label(diag.span, near);
    if (names.empty()) return true;
    diag.message += fmt::format("; it has {}{}", fmt::join(names, ", "), more ? ", …" : "");
    return true;
  }
  return false;
}

// Names that are only asked about: defined(name).
std::set<std::string> asked_names(const Ast& ast) {
  std::set<std::string> out;
  for (const Expr& expr : ast.exprs) {
    if (expr.kind == ExprKind::call && expr.text == "defined") {
      out.insert(ast.exprs[ast.args_of(expr)[0]].text);
    }
  }
  return out;
}

// The metric that is not there, of those that the expression cannot be used for.
bool refuse_metric(const Ast& ast, const std::string& why_not, const TextMetrics& metrics,
                   const Sema& sema, Diags& diags) {
  const std::set<std::string> asked = asked_names(ast);
  for (const Expr& expr : ast.exprs) {
    if (expr.kind != ExprKind::name || !why_not.contains(expr.text)) continue;
    const bool missing = metrics.metric(expr.text).kind == KnownMetrics::Kind::missing;
    if (!missing || asked.contains(expr.text)) continue;
    Diag& diag = diags.add(DiagCode::S_Unusable, expr.text_span, expr.text, why_not);
    diag.message = fmt::format("there is no metric {}, so this has no values", expr.text);
    const std::string near = near_names_text(sema.near_metrics(expr.text));
    if (!near.empty()) diag.label(diag.span, near);
    return true;
  }
  return false;
}

}  // namespace

FoundInTexts find_differences(const ParsedTexts& texts, const Catalog* catalog) {
  FoundInTexts out;
  for (const CompatibleFiles::File& file : texts.files->files()) {
    FileDifferences(file, texts, catalog, out).run();
  }
  for (const CompatibleFiles::Typed& typed : texts.files->typed()) {
    const TextMetrics metrics(texts, catalog, typed.dialect);
    SourceText source{.name = "<expression>", .text = typed.expression};
    auto& report =
        out.told.emplace_back(Compilation::Report{.source = std::move(source), .diags = {}});
    if (typed.wrong) {
      add_refused(typed.expression, typed.dialect, typed.in_pattern, report.diags);
    } else {
      const RecordedAlone recorded(metrics);
      const bool name = typed.ast->exprs[typed.ast->root].kind == ExprKind::name;
      const KnownMetrics& known = name ? static_cast<const KnownMetrics&>(recorded) : metrics;
      add_differences(*typed.ast, {.dialect = typed.dialect, .known = known}, report.diags);
    }
    const bool known = catalog != nullptr && typed.ast && knows_all(*typed.ast, metrics);
    set_levels(known, report.source.text, report.diags);
  }
  return out;
}

void tell_skipped_lines(const ParsedTexts& texts, Compilation& to) {
  if (texts.mistakes.empty()) return;
  constexpr size_t kShownMax = 3;
  for (const CompatibleFiles::File& file : texts.files->files()) {
    FoundInTexts found;
    FileDifferences(file, texts, nullptr, found).run();
    const size_t skipped = found.mistakes.size();
    if (skipped == 0) continue;
    std::set<std::string> causes;  // the first line of each is shown
    size_t shown = 0;
    for (Compilation::Report& mistake : found.mistakes) {
      const auto& all = mistake.diags.all();
      const bool is_new = all.empty() || causes.insert(all.front().message).second;
      if (!is_new || shown == kShownMax) continue;
      to.skipped.push_back(std::move(mistake));
      ++shown;
    }
    const std::string more =
        skipped > shown
            ? fmt::format("; pmjit check {}{} lists them",
                          file.source.name.ends_with(".pmie") ? "-c " : "", file.source.name)
            : "";
    to.notes.push_back(fmt::format(
        "{}: {} left out, the others are used{}", file.source.name,
        skipped == 1 ? "a line with an error is" : fmt::format("{} lines with errors are", skipped),
        more));
  }
  if (to.skipped.empty()) to.notes = texts.mistakes;
}

void refuse_absent(ParsedTexts& texts, const Catalog& catalog) {
  const EquivalentDomains none;
  const Sema sema(catalog, texts.exprs, texts.compatible, none);
  std::erase_if(texts.roots, [&](uint32_t root) {
    const NamedExpr& expr = texts.exprs[root];
    const auto typed = std::ranges::find(texts.files->typed(), texts.titles[root],
                                         &CompatibleFiles::Typed::expression);
    if (!expr.as_pcp || typed == texts.files->typed().end() || !typed->ast) return false;
    if (typed->ast->exprs[typed->ast->root].kind == ExprKind::name) return false;
    const CompatibleMetric* const bound = texts.compatible.find(typed->expression);
    if (bound == nullptr) return false;
    const TextMetrics metrics(texts, &catalog, typed->dialect);
    Diags found;
    const bool refused = bound->body
                             ? refuse_instance(*typed->ast, metrics, found)
                             : refuse_metric(*typed->ast, bound->why_not, metrics, sema, found);
    // Blanks before the expression are no part of it.
    const auto skipped = static_cast<uint32_t>(expr.source->text.find(typed->expression));
    for (Diag diag : found.all()) {
      diag.span = {diag.span.begin + skipped, diag.span.end + skipped};
      for (DiagLabel& label : diag.labels) label.span = diag.span;
      expr.diags->append(diag);
    }
    return refused;
  });
}

}  // namespace pmjit
