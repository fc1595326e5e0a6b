#include "rules/check/meanings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/diag/line_starts.h"

namespace pmjit {

namespace {

// One dialect counts evaluations from the start, the other adds up intervals: they round
// differently.
bool is_same_time(double a, double b) {
  constexpr double kSecondsApart = 1e-3;
  return std::abs(a - b) < kSecondsApart;
}

class FiringsOfRule {
 public:
  FiringsOfRule(const FiringsInput& input, const Meaning& meaning)
      : input_(input),
        meaning_(meaning),
        statement_(input.report.texts[meaning.text].statements[meaning.statement]) {}

  void run(CheckedFile& file, const WarningsByPlace& warnings, const LineStarts& starts) {
    const auto mistakes = warnings.in(statement_.span);
    for (Finding* finding : mistakes) add_to(finding->diag);
    const bool differs = meaning_.in_strict &&
                         !std::ranges::equal(*meaning_.in_strict, meaning_.fires, is_same_time);
    // A rule that has a warning will be another one.
    if (!differs || !mistakes.empty()) return;
    const std::string in_pmie = often(meaning_.fires), in_strict = often(*meaning_.in_strict);
    CheckNote& note = file.notes.emplace_back(CheckNote{
        .at = line_column(input_.report.texts[meaning_.text].source, starts, statement_.span.begin),
        .message = fmt::format("over {} {} fires at other times in strict", input_.archive,
                               meaning_.rule)});
    if (in_pmie == in_strict) {
      note.details = {fmt::format("both {}, but not at {}", in_pmie, first_of_one())};
    } else {
      note.details = {fmt::format("pmie: {}", in_pmie), fmt::format("strict: {}", in_strict)};
    }
    note.help = "--differences says why";
    note.one_is_enough = true;
  }

 private:
  // When it fires in one of them alone.
  [[nodiscard]] std::string first_of_one() const {
    const auto [a, b] = std::ranges::mismatch(meaning_.fires, *meaning_.in_strict, is_same_time);
    if (a == meaning_.fires.end()) return input_.time_of(*b);
    return input_.time_of(b == meaning_.in_strict->end() ? *a : std::min(*a, *b));
  }
  [[nodiscard]] std::string often(const std::vector<double>& fires) const {
    if (fires.empty()) return "never";
    return fmt::format("{} time{}, first at {}", fires.size(), fires.size() == 1 ? "" : "s",
                       input_.time_of(fires.front()));
  }
  // What a rule does.
  [[nodiscard]] std::string firing(const std::vector<double>& fires) const {
    return fires.empty() ? "never fires" : "fires " + often(fires);
  }

  void add_to(Diag& diag) const {
    if (diag.code == DiagCode::D_MixedLogic && meaning_.as_in_c) {
      diag.help(fmt::format("over {}: (A || B) && C {}", input_.archive, firing(meaning_.fires)));
      diag.help(
          fmt::format("over {}: A || (B && C) {}", input_.archive, firing(*meaning_.as_in_c)));
    }
    const bool of_units = diag.code == DiagCode::D_CompareDimensions ||
                          diag.code == DiagCode::D_BareNumber ||
                          diag.code == DiagCode::D_AddDimensions;
    if ((of_units || diag.code == DiagCode::D_OtherDomain) && statement_.acts) {
      diag.help(fmt::format("over {} the rule {}", input_.archive, firing(meaning_.fires)));
    }
  }

  const FiringsInput& input_;
  const Meaning& meaning_;
  const pmie::CheckedStatement& statement_;
};

}  // namespace

void add_firings(const FiringsInput& input, std::span<CheckedFile> files) {
  std::vector<WarningsByPlace> warnings(files.begin(), files.end());
  std::vector<LineStarts> starts;
  for (const RuleCheckReport::Text& text : input.report.texts) {
    starts.emplace_back(text.source.text);
  }
  for (const Meaning& meaning : input.meanings) {
    const size_t file = meaning.text;
    FiringsOfRule(input, meaning).run(files[file], warnings[file], starts[file]);
  }
}

}  // namespace pmjit
