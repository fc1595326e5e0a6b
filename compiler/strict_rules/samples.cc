#include "compiler/strict_rules/samples.h"

#include <fmt/format.h>

#include <span>

#include "compiler/ast/words.h"
#include "runtime/base/result.h"

namespace pmjit::strict {

namespace {

constexpr std::string_view kEarlier = "earlier";
constexpr std::string_view kMark = "_sample";  // of nodes that stand for all samples

// From the newest on, or from the oldest: sums are in that order.
template <class Join>
ExprId fold(const std::vector<ExprId>& samples, bool oldest_first, Join join) {
  std::optional<ExprId> out;
  for (size_t i = 0; i < samples.size(); ++i) {
    const ExprId next = samples[oldest_first ? samples.size() - 1 - i : i];
    out = out ? join(*out, next) : next;
  }
  return *out;
}

// Of halves: for a join that has each side twice, so that a chain would double with every sample.
template <class Join>
ExprId halves(std::span<const ExprId> samples, Join join) {
  if (samples.size() == 1) return samples.front();
  const size_t half = samples.size() / 2;
  const ExprId newer = halves(samples.first(half), join);
  return join(newer, halves(samples.subspan(half), join));
}

}  // namespace

std::vector<ExprId> earlier(AstMaker& tree, ExprId of, const SampleRange& range, Span where) {
  std::vector<ExprId> out;
  ExprId at = of;
  for (uint32_t i = 0; i <= range.oldest; ++i) {
    if (i > 0) at = tree.call(ExprKind::call, std::string(kEarlier), where, at);
    if (i >= range.newest) out.push_back(at);
  }
  return out;
}

ExprId over_samples(AstMaker& tree, pmie::PmieOp op, const std::vector<ExprId>& samples,
                    Span where) {
  const auto joined = [&](Operator sign) {
    return [&tree, sign, where](ExprId a, ExprId b) {
      const ExprId made = tree.binary(sign, where, a, b);
      tree.at(made).text = kMark;
      return made;
    };
  };
  const auto number = [&](std::string_view digits) {
    return tree.leaf(ExprKind::integer, std::string(digits), where);
  };
  const auto picked = [&](Operator sign) {
    return [&tree, sign, where](ExprId a, ExprId b) {
      const ExprId made = tree.ternary(where, tree.binary(sign, where, a, b), a, b);
      tree.at(made).text = kMark;
      return made;
    };
  };
  switch (op) {
    case pmie::PmieOp::all: return fold(samples, false, joined(Operator::and_));
    case pmie::PmieOp::some: return fold(samples, false, joined(Operator::or_));
    case pmie::PmieOp::min: return halves(samples, picked(Operator::le));
    case pmie::PmieOp::max: return halves(samples, picked(Operator::ge));
    case pmie::PmieOp::sum: return fold(samples, true, joined(Operator::add));
    case pmie::PmieOp::avg: {
      const ExprId total = fold(samples, true, joined(Operator::add));
      const ExprId made =
          tree.binary(Operator::div, where, total, number(fmt::to_string(samples.size())));
      tree.at(made).text = kMark;
      return made;
    }
    default: {  // count
      check(op == pmie::PmieOp::count, "an operator over samples");
      std::vector<ExprId> ones;
      for (const ExprId truth : samples) {
        ones.push_back(tree.ternary(where, truth, number("1"), number("0")));
      }
      return fold(ones, true, joined(Operator::add));
    }
  }
}

ExprId share_of_samples(AstMaker& tree, const std::string& percent,
                        const std::vector<ExprId>& samples, Span where) {
  return tree.call(ExprKind::call, std::string(kAtLeastOf), where, samples,
                   {Spec{.tag = "percent", .value = percent}});
}

bool is_earlier(const Expr& expr) { return expr.kind == ExprKind::call && expr.text == kEarlier; }

bool is_over_samples(const Expr& expr) {
  if (expr.kind == ExprKind::call) return expr.text == kAtLeastOf;
  return (expr.kind == ExprKind::binary || expr.kind == ExprKind::ternary) && expr.text == kMark;
}

}  // namespace pmjit::strict
