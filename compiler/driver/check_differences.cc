#include "compiler/driver/parsed_texts.h"

#include <algorithm>
#include <map>

#include "compiler/differences/definitions/definition_differences.h"
#include "compiler/parse/parse.h"
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
    if (texts_.files.find(name, dialect_) == nullptr) {
      return {catalog_ != nullptr ? Kind::missing : Kind::unknown};
    }
    const CompatibleMetric* bound = texts_.compatible.find(name);
    if (catalog_ == nullptr || bound == nullptr || !bound->body) return {Kind::derived};
    return {Kind::derived, bound->desc};
  }
  bool equivalent(InDomId a, InDomId b) const override { return texts_.files.equivalent(a, b); }
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

// One file of definitions. Each of its lines is a text of its own, so that a place in a long file
// is found without reading the file.
class FileDifferences {
 public:
  FileDifferences(const CompatibleFiles::File& file, const ParsedTexts& texts,
                  const Catalog* catalog, std::deque<Compilation::Report>& reports)
      : file_(file),
        texts_(texts),
        catalog_(catalog),
        metrics_(texts, catalog, file.dialect),
        reports_(reports) {}

  void run() {
    size_t working = 0;
    for (const ReadLine& line : file_.lines) working += works(line) ? 1 : 0;
    for (const ReadLine& line : file_.lines) {
      Diags found;
      if (mistaken(line) && working > 0) found.add_here(DiagCode::D_OthersRun, line.span);
      add_line(line, found);
      report(line.span, found);
    }
    Diags found;
    if (file_.not_read != Span{}) found.add_here(DiagCode::D_NoNewline, file_.not_read);
    report(file_.not_read, found);
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

  void add_line(const ReadLine& line, Diags& found) const {
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
    } else if (const DerivedMetric* metric = texts_.files.find(line.name, file_.dialect)) {
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

  void report(Span line, const Diags& found) {
    if (found.empty()) return;
    const auto before = text_of({counted_, line.begin});
    line_number_ += static_cast<uint32_t>(std::ranges::count(before, '\n'));
    counted_ = line.begin;
    auto& out = reports_.emplace_back();
    out.source = {
        .name = file_.source.name, .text = std::string(text_of(line)), .first_line = line_number_};
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
  std::deque<Compilation::Report>& reports_;
  uint32_t counted_ = 0, line_number_ = 1;  // of the file, and the line there
};

}  // namespace

std::deque<Compilation::Report> find_differences(const ParsedTexts& texts, const Catalog* catalog) {
  std::deque<Compilation::Report> out;
  for (const CompatibleFiles::File& file : texts.files.files()) {
    FileDifferences(file, texts, catalog, out).run();
  }
  for (const CompatibleFiles::Typed& typed : texts.files.typed()) {
    const TextMetrics metrics(texts, catalog, typed.dialect);
    SourceText source{.name = "<expression>", .text = typed.expression};
    auto& report = out.emplace_back(Compilation::Report{.source = std::move(source), .diags = {}});
    if (typed.wrong) {
      add_refused(typed.expression, typed.dialect, typed.in_pattern, report.diags);
    } else {
      const RecordedAlone recorded(metrics);
      const bool name = typed.ast->exprs[typed.ast->root].kind == ExprKind::name;
      const KnownMetrics& known = name ? static_cast<const KnownMetrics&>(recorded) : metrics;
      add_differences(*typed.ast, {.dialect = typed.dialect, .known = known}, report.diags);
    }
  }
  return out;
}

}  // namespace pmjit
