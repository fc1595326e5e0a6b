#include "rules/check/meanings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

  void run(CheckedFile& file, const WarningsByPlace& warnings) {
    const bool compares = meaning_.in_strict &&
                          !std::ranges::equal(*meaning_.in_strict, meaning_.fires, is_same_time);
    bool is_mistaken = false;  // in both dialects
    for (Finding* finding : warnings.in(statement_.span)) {
      add_to(finding->diag, compares);
      is_mistaken = is_mistaken || finding->diag.code == DiagCode::P_RuleWarning;
    }
    if (!compares || is_mistaken) return;
    const std::string in_pmie = often(meaning_.fires), in_strict = often(*meaning_.in_strict);
    file.notes.push_back(fmt::format(
        "note: over {} {} fires at other times in strict (--differences says why):\n{}",
        input_.archive, meaning_.rule,
        in_pmie == in_strict ? fmt::format("  both {}, but not at {}\n", in_pmie, first_of_one())
                             : fmt::format("  pmie    {}\n  strict  {}\n", in_pmie, in_strict)));
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

  // `compares`: a note below says when it fires.
  void add_to(Diag& diag, bool compares) const {
    if (diag.code == DiagCode::D_MixedLogic && meaning_.as_in_c) {
      diag.help(fmt::format("over {}: (A || B) && C {}", input_.archive, firing(meaning_.fires)));
      diag.help(
          fmt::format("over {}: A || (B && C) {}", input_.archive, firing(*meaning_.as_in_c)));
    }
    const bool of_units = diag.code == DiagCode::D_CompareDimensions ||
                          diag.code == DiagCode::D_BareNumber ||
                          diag.code == DiagCode::D_AddDimensions;
    if (of_units && statement_.acts && !compares) {
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
  for (const Meaning& meaning : input.meanings) {
    FiringsOfRule(input, meaning).run(files[meaning.text], warnings[meaning.text]);
  }
}

}  // namespace pmjit
