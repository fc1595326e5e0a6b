#include "rules/cmd/block_rows.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "rules/cmd/expected_run.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

// These are not much more than what a block is decoded of, whatever their lanes.
constexpr size_t kFewResults = 64;

// Each result costs something a block, as much as some fifty of its rows. So a block has no fewer,
// however many results there are, unless their rows are long.
constexpr double kRowsLeast = 32;
constexpr double kBytesLeast = 1024;  // of each result

// Of rows of so many bytes.
double rows_of_bytes(const Program& program, double bytes) {
  const auto rows_in = [&](double all) { return all / std::max(bytes, 1.0); };
  const auto roots = static_cast<double>(program.roots.size());
  const double least = std::min(kRowsLeast, rows_in(kBytesLeast * roots));
  return std::max(rows_in(static_cast<double>(limits::kResultBytesMax)), least);
}

// Of each instance domain, by the metric that has most; of one that is not seen yet, by the widest
// of all.
class LanesOfDomains {
 public:
  LanesOfDomains(const Program& program, const Recording& source, Stamp from) {
    std::vector<PmId> metrics;
    for (const ProgramOperand& operand : program.operands) metrics.push_back(operand.desc.pmid);
    const auto works = expected_work(source, {.from = from}).of_metrics(metrics);
    for (size_t i = 0; i < works.size(); ++i) {
      double& most = of_domain_[program.operands[i].desc.indom];
      most = std::max(most, works[i].lanes);
      widest_ = std::max(widest_, most);
    }
  }

  [[nodiscard]] double of(InDomId domain) const {
    const auto found = of_domain_.find(domain);
    return found == of_domain_.end() || found->second == 0 ? widest_ : found->second;
  }

 private:
  std::unordered_map<InDomId, double> of_domain_;
  double widest_ = 1;
};

// Of the values of a row of all results that have instances.
double wide_bytes(const Program& program, const Recording& source, Stamp from) {
  const auto is_wide = [](const ProgramRoot& root) { return root.info.domain != kNullId; };
  if (std::ranges::none_of(program.roots, is_wide)) return 0;
  const LanesOfDomains lanes(program, source, from);
  double out = 0;
  for (const ProgramRoot& root : program.roots) {
    if (!is_wide(root)) continue;
    out += static_cast<double>(elem_bytes(root.info.elem)) * lanes.of(root.info.domain);
  }
  return out;
}

}  // namespace

uint32_t rule_rows(const Program& program, const Recording& source, Stamp from) {
  if (program.roots.size() <= kFewResults) return 0;
  double bytes = wide_bytes(program, source, from);
  for (const ProgramRoot& root : program.roots) {
    if (root.info.domain == kNullId) bytes += static_cast<double>(elem_bytes(root.info.elem));
  }
  const double rows = rows_of_bytes(program, bytes);
  return static_cast<uint32_t>(std::clamp<double>(rows, 1, limits::kBlockRowsMax));
}

uint32_t result_rows(const Program& program, const Recording& source, Stamp from) {
  const size_t roots = program.roots.size();
  if (roots <= kFewResults) return 0;
  size_t rows = std::max(limits::kResultRowsMax / roots, limits::kResultRowsLeast);
  if (const double bytes = wide_bytes(program, source, from); bytes > 0) {
    rows = std::min(rows, static_cast<size_t>(rows_of_bytes(program, bytes)));
  }
  return static_cast<uint32_t>(std::clamp<size_t>(rows, 1, limits::kBlockRowsMax));
}

}  // namespace pmjit
