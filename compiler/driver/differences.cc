#include "compiler/driver/differences.h"

#include "compiler/differences/differences.h"

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
  std::optional<std::vector<std::string>> instances(InDomId indom) const override {
    if (catalog_ == nullptr) return std::nullopt;
    std::vector<std::string> out;
    for (const Catalog::Instance& one : catalog_->instances(indom)) out.push_back(one.name);
    return out;
  }

 private:
  const ParsedTexts& texts_;
  const Catalog* catalog_;
  Dialect dialect_;
};

// One file of definitions.
class FileDifferences {
 public:
  FileDifferences(const CompatibleFiles::File& file, const ParsedTexts& texts,
                  const Catalog* catalog, Diags& diags)
      : file_(file),
        texts_(texts),
        catalog_(catalog),
        metrics_(texts, catalog, file.dialect),
        diags_(diags) {}

  void run() {
    size_t working = 0;
    for (const ReadLine& line : file_.lines) working += works(line) ? 1 : 0;
    for (const ReadLine& line : file_.lines) {
      if (mistaken(line) && working > 0) diags_.add_here(DiagCode::D_OthersRun, line.span);
      add_line(line);
    }
    if (file_.not_read != Span{}) diags_.add_here(DiagCode::D_NoNewline, file_.not_read);
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
    if (!is_definition(line)) return line.kind == ReadLine::Kind::refused;
    if (line.wrong) return true;
    if (catalog_ == nullptr || catalog_->describe(line.name)) return false;
    const CompatibleMetric* bound = texts_.compatible.find(line.name);
    return bound != nullptr && !bound->body;
  }

  void add_line(const ReadLine& line) {
    const std::string_view text = std::string_view(file_.source.text)
                                      .substr(line.span.begin, line.span.end - line.span.begin);
    const bool quoted = line.kind == ReadLine::Kind::quoted_attribute;
    if (file_.dialect == Dialect::pcp6 && text.ends_with('\\') && !quoted) {
      diags_.add_here(DiagCode::D_Continuation, Span{line.span.end - 1, line.span.end});
    }
    if (!is_definition(line)) return;
    if (line.repeated) {
      diags_.add_here(DiagCode::S_Duplicate, line.name_span);
      return;
    }
    if (catalog_ != nullptr && catalog_->describe(line.name)) {
      diags_.add_here(DiagCode::S_HidesMetric, line.name_span);
    }
    Diags found;
    if (line.wrong) {
      add_refused(line.expression, file_.dialect, line.in_pattern, found);
    } else if (const DerivedMetric* metric = texts_.files.find(line.name, file_.dialect)) {
      add_differences(*metric->expression, {.dialect = file_.dialect, .known = metrics_}, found);
    }
    for (Diag diag : found.all()) {
      diag.span = line.in_file(diag.span);
      for (DiagLabel& label : diag.labels) label.span = line.in_file(label.span);
      diags_.append(diag);
    }
  }

  const CompatibleFiles::File& file_;
  const ParsedTexts& texts_;
  const Catalog* catalog_;
  TextMetrics metrics_;
  Diags& diags_;
};

}  // namespace

std::deque<Compilation::Report> find_differences(const ParsedTexts& texts, const Catalog* catalog) {
  std::deque<Compilation::Report> out;
  for (const CompatibleFiles::File& file : texts.files.files()) {
    auto& report = out.emplace_back(Compilation::Report{.source = file.source, .diags = {}});
    FileDifferences(file, texts, catalog, report.diags).run();
  }
  for (const CompatibleFiles::Typed& typed : texts.files.typed()) {
    const TextMetrics metrics(texts, catalog, typed.dialect);
    SourceText source{.name = "<expression>", .text = typed.expression};
    auto& report = out.emplace_back(Compilation::Report{.source = std::move(source), .diags = {}});
    const DerivedMetric* metric = texts.files.find(typed.expression, typed.dialect);
    if (typed.wrong) {
      add_refused(typed.expression, typed.dialect, typed.in_pattern, report.diags);
    } else if (metric != nullptr) {
      add_differences(*metric->expression, {.dialect = typed.dialect, .known = metrics},
                      report.diags);
    }
  }
  return out;
}

}  // namespace pmjit
