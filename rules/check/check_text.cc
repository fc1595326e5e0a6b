#include "rules/check/check_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace pmjit {

namespace {

constexpr size_t kCausesMax = 10;  // of one level of a file, without -v
constexpr size_t kLackedMax = 3;   // names of a file that an archive lacks, in a line each
constexpr size_t kCleanMax = 3;    // files that have a line each
constexpr size_t kNotesMax = 3;    // of all files, without -v

std::string counted(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// What is counted; "": things of many kinds.
std::string_view word_of(CheckedKind kind) {
  switch (kind) {
    case CheckedKind::rules: return "rule";
    case CheckedKind::definitions: return "definition";
    case CheckedKind::expressions: return "expression";
    case CheckedKind::columns: return "column";
    case CheckedKind::configuration: break;
  }
  return "";
}

// Only the mistakes are counted in a text that cannot be read to its end, and in the configuration
// of a daemon.
bool is_unread(const CheckedFile& file) {
  return file.kind == CheckedKind::configuration || (file.count == 0 && file.of(Level::error) > 0);
}

std::string head_of(const CheckedFile& file) {
  if (is_unread(file)) return file.name;
  const std::string count = counted(file.count, word_of(file.kind));
  return file.name.empty() ? count : fmt::format("{}: {}", file.name, count);
}

// One cause: an error has one text, the others are told by their code.
std::string cause_of(const Finding& finding) {
  std::string out(code_text(finding));
  // P18 has many causes.
  const bool has_many = finding.diag.code == DiagCode::P_RuleWarning && finding.code.empty();
  if (finding.level == Level::error || has_many) out += finding.diag.message;
  return out;
}

std::string note_text(const CheckedFile& file, const CheckNote& note) {
  std::string out =
      fmt::format("note: {}:{}:{}: {}\n", file.name, note.at.line, note.at.column, note.message);
  for (const std::string& detail : note.details) out += fmt::format("  {}\n", detail);
  if (!note.help.empty()) out += fmt::format("  help: {}\n", note.help);
  return out;
}

// Notes of all files, in their order: the first few, and at the last of them how many more there
// are.
class NotesText {
 public:
  NotesText(std::span<const CheckedFile> files, const CheckTextOptions& options)
      : all_(options.verbose || options.differences) {
    for (const CheckedFile& file : files) waiting_ += file.notes.size();
  }

  std::string of(const CheckedFile& file) {
    std::string out;
    for (const CheckNote& note : file.notes) {
      --waiting_;
      const bool is_more = note.one_is_enough && std::exchange(has_one_, true);
      if (!all_ && (is_more || shown_ == kNotesMax)) {
        ++left_out_;
        continue;
      }
      ++shown_;
      out += note_text(file, note);
    }
    if (waiting_ == 0 && !file.notes.empty() && left_out_ > 0) {
      out += fmt::format("and {}: -v lists them\n", counted(left_out_, "more note"));
    }
    return out + comparisons_text(file.comparisons);
  }

 private:
  bool all_;
  bool has_one_ = false;  // of those of which one is enough
  size_t waiting_ = 0, shown_ = 0, left_out_ = 0;
};

// What may be meant in the place of a finding: "; did you mean disk.dev.read?"; "": nothing.
std::string meant_text(const Diag& diag) {
  const auto of = std::ranges::find_if(diag.labels, [&](const DiagLabel& label) {
    return label.span == diag.span && label.text.starts_with("did you mean ");
  });
  return of == diag.labels.end() ? "" : "; " + of->text;
}

// A metric that an archive lacks, where no other name is near; an instance, or all of a metric.
struct Lacked {
  std::string archive, what;
  bool is_metric = false;
};

// None: it is another mistake. `near`: also one that may be a slip of another name.
enum class Near : uint8_t { left_out, taken };
std::optional<Lacked> lacked_in(const Finding& finding, Near near = Near::left_out) {
  constexpr std::string_view kHasNo = " has no ", kMetric = "metric ";
  const std::string& said = finding.diag.message;
  const size_t at = said.find(kHasNo);
  const bool lacks =
      code_text(finding) == diag_code_text(DiagCode::S_RuleMetric) && at != said.npos;
  if (!lacks) return std::nullopt;
  const std::string what = said.substr(at + kHasNo.size());
  if (what.starts_with("instance ")) {
    const std::string_view name = std::string_view(what).substr(0, what.find(';'));
    return Lacked{"", fmt::format("{} of {}", name, said.substr(0, at))};
  }
  if (near == Near::left_out && !meant_text(finding.diag).empty()) return std::nullopt;
  if (what.starts_with(kMetric)) {
    return Lacked{said.substr(0, at), what.substr(kMetric.size()), true};
  }
  const bool of_metric = what.starts_with("instances of ") || what.starts_with("description of ");
  if (!of_metric) return std::nullopt;
  return Lacked{said.substr(0, at), what};
}

// What an archive lacks, each with its first place; a line for all of it.
class LackedNames {
 public:
  void add(const Finding& finding, const std::string& place, Near near = Near::left_out) {
    const auto lacked = lacked_in(finding, near);
    if (!lacked) return;
    if (archive_.empty()) archive_ = lacked->archive;
    only_metrics_ = only_metrics_ && lacked->is_metric;
    if (!whats_.insert(lacked->what).second) return;
    const std::string named = fmt::format("{} ({})", lacked->what, place);
    if (places_.size() < kNamedMax) places_.push_back(named);
    const std::string meant = meant_text(finding.diag);
    if (!meant.empty() && slips_++ == 0) slip_ = named + meant;
  }
  [[nodiscard]] bool empty() const { return whats_.empty(); }
  [[nodiscard]] size_t size() const { return whats_.size(); }
  // web1 lacks 4 metrics: a.b (line 3), c.d (line 5), …
  [[nodiscard]] std::string text() const {
    std::string slips;
    if (slips_ > 0) {
      slips = fmt::format("  help: {}{}\n", slip_,
                          slips_ == 1 ? "" : fmt::format("; and {} more may be slips", slips_ - 1));
    }
    return fmt::format(
        "error[{}]: {} lacks {}: {}{}\n"
        "  help: pmjit and pmie leave their rules out and run the others; -v lists them\n{}",
        diag_code_text(DiagCode::S_RuleMetric), archive_.empty() ? "the archive" : archive_,
        only_metrics_ ? counted(whats_.size(), "metric")
                      : fmt::format("{} metrics or instances", whats_.size()),
        fmt::join(places_, ", "), whats_.size() > kNamedMax ? ", …" : "", slips);
  }

 private:
  static constexpr size_t kNamedMax = 3;
  std::string archive_;
  std::set<std::string> whats_;
  bool only_metrics_ = true;
  std::vector<std::string> places_;
  std::string slip_;  // the first
  size_t slips_ = 0;
};

class FindingsText {
 public:
  FindingsText(const CheckedFile& file, const CheckTextOptions& options, NotesText& notes)
      : file_(file), options_(options), notes_(notes) {}

  std::string run() {
    std::set<std::string> lacked;
    for (const Finding& finding : file_.findings) {
      ++places_[{finding.level, cause_of(finding)}];
      if (const auto one = lacked_in(finding)) lacked.insert(one->what);
    }
    folds_lacked_ = !options_.verbose && lacked.size() > kLackedMax;
    for (const Level level : {Level::error, Level::warning, Level::difference}) {
      if (level == Level::difference && !options_.differences) continue;
      add_level(level);
    }
    if (const std::string notes = notes_.of(file_); !notes.empty()) out_ += "\n" + notes;
    add_count();
    return std::move(out_);
  }

 private:
  // The first of a code with its lines, other causes of that code in a line each.
  void add_level(Level level) {
    // All differences were asked for. In a configuration the help of each message matters.
    const bool all =
        options_.verbose || level == Level::difference || file_.kind == CheckedKind::configuration;
    std::set<std::string_view> codes;
    size_t causes = 0, left = 0;
    for (const Finding& finding : file_.findings) {
      if (finding.level != level) continue;
      size_t& places = places_[{level, cause_of(finding)}];
      if (all) {
        add_block(finding);
      } else if (places == 0) {
        continue;
      } else if (folds_lacked_ && lacked_in(finding)) {
        lacked_.add(finding, fmt::format("line {}", finding.at.line));
      } else if (causes == kCausesMax) {
        left += places;
      } else {
        ++causes;
        if (codes.insert(code_text(finding)).second) {
          add_block(finding);
          if (places > 1) out_ += fmt::format("and {} more: -v lists them\n", places - 1);
        } else {
          add_line(finding, places - 1);
        }
      }
      places = 0;
    }
    if (left > 0) {
      out_ += fmt::format("and {} more: -v lists them\n", counted(left, level_text(level)));
    }
    if (level != Level::error || lacked_.empty()) return;
    if (!out_.empty()) out_ += '\n';
    out_ += lacked_.text();
    in_lines_ = false;
  }

  void add_block(const Finding& finding) {
    if (!out_.empty()) out_ += '\n';
    const Diag& diag = finding.diag;
    out_ += render(DiagView{.code = code_text(finding),
                            .severity = diag.severity,
                            .span = diag.span,
                            .message = diag.message,
                            .labels = diag.labels,
                            .helps = diag.helps},
                   finding.in->text, finding.in->starts);
    in_lines_ = false;
  }

  // `more`: of the same cause.
  void add_line(const Finding& finding, size_t more) {
    if (!in_lines_) out_ += '\n';
    const std::string place = file_.name.empty() ? fmt::format("column {}", finding.at.column)
                                                 : fmt::format("{}:{}:{}", file_.name,
                                                               finding.at.line, finding.at.column);
    out_ += fmt::format("{}[{}]: {}{} ({}{})\n", level_text(finding.level), code_text(finding),
                        finding.diag.message, meant_text(finding.diag), place,
                        more == 0 ? "" : fmt::format(", and {} more: -v lists them", more));
    in_lines_ = true;
  }

  void add_count() {
    std::string line = head_of(file_);
    bool first = is_unread(file_);
    for (const Level level : {Level::error, Level::warning, Level::difference}) {
      if (level == Level::difference && !options_.differences) continue;
      const size_t count = file_.of(level);
      if (count == 0) continue;
      const bool begins = std::exchange(first, false);
      line += (line.empty() ? "" : begins ? ": " : ", ") + counted(count, level_text(level));
    }
    out_ += (out_.empty() ? "" : "\n") + line + "\n";
  }

  const CheckedFile& file_;
  const CheckTextOptions& options_;
  NotesText& notes_;
  std::map<std::pair<Level, std::string>, size_t> places_;  // of a cause that are not said yet
  LackedNames lacked_;
  std::string out_;
  bool folds_lacked_ = false;  // they are too many for a line each
  bool in_lines_ = false;      // the last finding was a line
};

bool is_clean(const CheckedFile& file, const CheckTextOptions& options) {
  return file.of(Level::error) + file.of(Level::warning) == 0 &&
         (!options.differences || file.findings.empty());
}

// Definitions that are right, of metrics that the archive lacks. If a name is near, it may be a
// slip.
bool lacks_metrics(const CheckedFile& file) {
  return file.of(Level::error) == 0 && file.notes.empty() &&
         std::ranges::all_of(file.findings, [](const Finding& finding) {
           return finding.level == Level::difference ||
                  (code_text(finding) == diag_code_text(DiagCode::S_Unusable) &&
                   finding.diag.labels.empty());
         });
}

// The same of rules.
bool has_rules_that_lack(const CheckedFile& file) {
  return file.of(Level::error) > 0 && std::ranges::all_of(file.findings, [](const Finding& one) {
           return one.level == Level::difference ||
                  (one.level == Level::error && lacked_in(one) && meant_text(one.diag).empty());
         });
}

// A line for each of the first of several such files.
std::string listed(std::span<const CheckedFile* const> files, size_t most, Level level) {
  std::string out;
  for (const CheckedFile* file : files.first(std::min(files.size(), most))) {
    out += fmt::format("{}, {}\n", head_of(*file), counted(file->of(level), level_text(level)));
  }
  if (files.size() > most) {
    out += fmt::format("and {}\n", counted(files.size() - most, "more file"));
  }
  return out;
}

std::string unusable_text(size_t definitions) {
  return fmt::format(
      "warning[{}]: metrics are missing, so {} no values; -v lists them\n",
      diag_code_text(DiagCode::S_Unusable),
      definitions == 1 ? "1 definition has" : fmt::format("{} definitions have", definitions));
}

std::string lacking_text(std::span<const CheckedFile* const> files) {
  constexpr size_t kListedMax = 6;
  size_t definitions = 0;
  for (const CheckedFile* file : files) definitions += file->of(Level::warning);
  return unusable_text(definitions) + "\n" + listed(files, kListedMax, Level::warning);
}

std::string lacking_rules_text(std::span<const CheckedFile* const> files, NotesText& notes) {
  constexpr size_t kListedMax = 4;
  LackedNames lacked;
  std::string said;
  for (const CheckedFile* file : files) {
    const std::string name = file->name.substr(file->name.rfind('/') + 1);  // npos + 1 is 0
    for (const Finding& finding : file->findings) {
      if (finding.level != Level::error) continue;
      lacked.add(finding, fmt::format("{}:{}", name, finding.at.line));
    }
    said += notes.of(*file);
  }
  return fmt::format("{}\n{}{}{}", lacked.text(), listed(files, kListedMax, Level::error),
                     said.empty() ? "" : "\n", said);
}

// 3 rules and 5 definitions
std::string sum_of(std::span<const CheckedFile* const> files) {
  std::string out;
  for (const CheckedKind kind : {CheckedKind::rules, CheckedKind::definitions,
                                 CheckedKind::expressions, CheckedKind::columns}) {
    size_t count = 0;
    for (const CheckedFile* file : files) count += file->kind == kind ? file->count : 0;
    if (count == 0) continue;
    out += (out.empty() ? "" : " and ") + counted(count, word_of(kind));
  }
  return out.empty() ? "nothing in them" : out;
}

// What an archive or host of another kind than the files were written for brings: metrics that are
// not there, and units that do not fit.
bool is_of_archive(const Finding& finding) {
  return lacked_in(finding, Near::taken) || finding.diag.code == DiagCode::S_Unusable ||
         (finding.level == Level::warning && finding.diag.code == DiagCode::D_CompareDimensions);
}

// Files of which much is missing there: what that brings is folded into a few lines, behind the
// mistakes.
class ForeignArchive {
 public:
  explicit ForeignArchive(std::span<const CheckedFile> files) {
    for (const CheckedFile& file : files) {
      const std::string name = file.name.substr(file.name.rfind('/') + 1);  // npos + 1 is 0
      for (const Finding& finding : file.findings) {
        const std::string place = fmt::format("{}:{}", name, finding.at.line);
        lacked_.add(finding, place, Near::taken);
        if (finding.level != Level::warning) continue;
        unusable_ += finding.diag.code == DiagCode::S_Unusable ? 1 : 0;
        if (finding.diag.code != DiagCode::D_CompareDimensions || units_++ > 0) continue;
        unlike_ = fmt::format("{} ({})", finding.diag.message, place);
      }
    }
  }

  [[nodiscard]] bool is_foreign() const {
    constexpr size_t kFew = 10;
    return lacked_.size() + unusable_ > kFew;
  }
  // The file without that. No findings: it has no other mistake.
  [[nodiscard]] static CheckedFile without(const CheckedFile& file) {
    CheckedFile out{.name = file.name, .kind = file.kind, .count = file.count, .findings = {}};
    for (const Finding& finding : file.findings) {
      if (finding.level != Level::difference && !is_of_archive(finding)) {
        out.findings.push_back(finding);
      }
    }
    return out;
  }
  [[nodiscard]] std::string text(std::span<const CheckedFile* const> files) const {
    std::string out = lacked_.empty() ? "" : lacked_.text();
    if (unusable_ > 0) out += unusable_text(unusable_);
    if (units_ > 0) {
      out +=
          fmt::format("warning[{}]: {}{}\n", diag_code_text(DiagCode::D_CompareDimensions), unlike_,
                      units_ == 1 ? "" : fmt::format("; and {} more: -v lists them", units_ - 1));
    }
    std::string counts;
    for (const Level level : {Level::error, Level::warning}) {
      size_t count = 0;
      for (const CheckedFile* file : files) count += file->of(level);
      if (count > 0) counts += ", " + counted(count, level_text(level));
    }
    const std::string head = files.size() == 1
                                 ? head_of(*files.front())
                                 : fmt::format("{} files: {}", files.size(), sum_of(files));
    return fmt::format("{}\n{}{}\n", out, head, counts);
  }

 private:
  LackedNames lacked_;
  size_t unusable_ = 0, units_ = 0;
  std::string unlike_;  // the first
};

}  // namespace

CheckText text_of(std::span<const CheckedFile> files, const CheckTextOptions& options) {
  CheckText out;
  NotesText notes(files, options);
  std::vector<const CheckedFile*> clean, lacking, lacking_rules;
  for (const CheckedFile& file : files) {
    if (is_clean(file, options)) continue;
    if (lacks_metrics(file)) lacking.push_back(&file);
    if (has_rules_that_lack(file)) lacking_rules.push_back(&file);
  }
  const bool all = options.verbose || options.differences;
  const ForeignArchive foreign(files);
  const bool is_foreign = !all && foreign.is_foreign();
  std::vector<const CheckedFile*> folded;
  if (is_foreign) {
    lacking.clear();
    lacking_rules.clear();
  }
  if (all || lacking.size() < 2) lacking.clear();
  // One among several has lines for one mistake.
  const bool is_one = lacking_rules.size() == 1 &&
                      (files.size() == 1 || lacking_rules.front()->of(Level::error) == 1);
  if (all || is_one) lacking_rules.clear();
  const auto is_told_below = [&](const CheckedFile& file) {
    return std::ranges::find(lacking, &file) != lacking.end() ||
           std::ranges::find(lacking_rules, &file) != lacking_rules.end();
  };
  for (const CheckedFile& file : files) {
    if (is_told_below(file)) continue;
    if (is_clean(file, options)) {
      clean.push_back(&file);
      out.findings += notes.of(file);
    } else if (is_foreign) {
      folded.push_back(&file);
      const CheckedFile rest = ForeignArchive::without(file);
      if (rest.findings.empty()) continue;
      if (!out.findings.empty()) out.findings += '\n';
      out.findings += FindingsText(rest, options, notes).run();
    } else {
      if (!out.findings.empty()) out.findings += '\n';
      out.findings += FindingsText(file, options, notes).run();
    }
  }
  if (is_foreign) {
    if (!out.findings.empty()) out.findings += '\n';
    out.findings += foreign.text(folded);
    for (const CheckedFile* file : folded) out.findings += notes.of(*file);
  }
  if (!lacking.empty()) {
    if (!out.findings.empty()) out.findings += '\n';
    out.findings += lacking_text(lacking);
  }
  if (!lacking_rules.empty()) {
    if (!out.findings.empty()) out.findings += '\n';
    out.findings += lacking_rules_text(lacking_rules, notes);
  }
  const std::string_view none =
      options.damaged ? "no problems but those of the archive" : "no problems";
  if (clean.size() > kCleanMax) {
    out.clean = fmt::format("{} files: {}, {}\n", clean.size(), sum_of(clean), none);
  } else {
    for (const CheckedFile* file : clean) {
      out.clean += fmt::format("{}{} {}\n", head_of(*file), is_unread(*file) ? ":" : ",", none);
    }
  }
  if (!out.clean.empty() && !options.unchecked.empty()) {
    out.clean.insert(out.clean.size() - 1, "; " + options.unchecked);
  }
  return out;
}

}  // namespace pmjit
