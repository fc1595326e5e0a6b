#include "rules/why/why.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "compiler/compat/pmie/list.h"
#include "rules/compat/bindings.h"
#include "rules/compat/evaluator.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/value_report.h"
#include "rules/model/events.h"
#include "rules/why/values_above.h"

namespace pmjit {

namespace {

using namespace pmie;  // NOLINT: every word of it is used

constexpr size_t kElementsMax = 20;  // of a part, that are shown

class Why {
 public:
  Why(const PmieEvaluator& at, const WhyMoment& moment, const RuleSources& sources,
      std::string_view written)
      : at_(at), moment_(moment), sources_(sources), written_(written) {}

  std::string verdict(uint32_t root) {
    const PmieNode& node = at_.program().nodes[root];
    const uint32_t condition = kind_of(node.op) == OpKind::rule ? node.left : root;
    const auto truth =
        is_unknown(condition) ? std::nullopt : truth_of(*at_.state(condition).sample(0));
    if (truth) return *truth ? "true" : "false";
    return "unknown" + cause(condition);
  }

  std::string tree(uint32_t root) {
    in_tree_ = true;
    put(root, 0);
    return std::move(out_);
  }

  std::string text(uint32_t root) {
    std::vector<ValueAbove> values;
    put_above(root, values);
    const std::string comparisons = std::exchange(out_, {});
    return "\n" + values_above(written_, std::move(values)) +
           (comparisons.empty() ? "" : "\n" + comparisons);
  }

 private:
  [[nodiscard]] bool is_unknown(uint32_t index) const {
    const NodeState& state = at_.state(index);
    return state.valid == 0 || state.span() == 0;
  }

  // Values of metrics, times and macros; comparisons go to out_.
  void put_above(uint32_t index, std::vector<ValueAbove>& out) {
    const PmieNode& node = at_.program().nodes[index];
    if (kind_of(node.op) == OpKind::action) return;
    const Span where = node.place.span;
    const bool is_macro = where.begin < written_.size() && written_[where.begin] == '$';
    const bool is_leaf =
        node.op == PmieOp::fetch || node.op == PmieOp::delay || node.op == PmieOp::variable;
    if (is_macro || is_leaf) out.push_back({.where = where, .value = value_above(index)});
    if (kind_of(node.op) == OpKind::relation) {
      out_ += in_one_line(written_, where);
      put_values(index, 0);
    }
    if (is_macro || is_leaf) return;
    for (const uint32_t operand : {node.left, node.right}) {
      if (operand != kNone) put_above(operand, out);
    }
  }

  std::string value_above(uint32_t index) {
    const NodeState& state = at_.state(index);
    if (is_unknown(index)) return "unknown";
    std::string out;
    if (state.span() == 1) {
      put_value(out, at_, index, 0, 0);
    } else {
      const std::span<const double> now(state.sample(0), state.span());
      const auto [least, greatest] = std::ranges::minmax(now);
      out =
          fmt::format("{} values, {} … {}", now.size(), number_text(least), number_text(greatest));
    }
    return out + units_behind(index);
  }

  std::string units_behind(uint32_t index) {
    const auto& units = at_.program().nodes[index].units;
    const std::string text = units ? units_text(*units) : std::string();
    return text.empty() ? text : " " + text;
  }

  void put(uint32_t index, size_t depth) {
    const PmieNode& node = at_.program().nodes[index];
    if (kind_of(node.op) == OpKind::action) return;
    out_ += fmt::format("{:{}}{}", "", 2 * depth, list(at_.program(), index, sources_));
    put_values(index, depth);
    if (node.op == PmieOp::constant || node.op == PmieOp::variable) return;
    for (const uint32_t operand : {node.left, node.right}) {
      if (operand != kNone && at_.program().nodes[operand].op != PmieOp::constant) {
        put(operand, depth + 1);
      }
    }
  }

  // Behind the part; below it where there are several.
  void put_values(uint32_t index, size_t depth) {
    const NodeState& state = at_.state(index);
    if (is_unknown(index)) {
      out_ += fmt::format(": unknown{}\n", reason(index));
      return;
    }
    const bool one = state.span() == 1 && (in_tree_ || !names_instance(index));
    if (!one) {
      out_ += fmt::format(": {} value{}\n", state.span(), state.span() == 1 ? "" : "s");
    }
    for (size_t i = 0; i < std::min(state.span(), kElementsMax); ++i) {
      if (!one) out_ += fmt::format("{:{}}", "", 2 * depth + 4);
      out_ += one ? ": " : place(index, i) + ": ";
      put_samples(out_, at_, index, i);
      out_ += distance(index, i) + "\n";
    }
    if (state.span() > kElementsMax) {
      out_ += fmt::format("{:{}}and {} more\n", "", 2 * depth + 4, state.span() - kElementsMax);
    }
  }

  // A tree lists the instances of each part.
  bool names_instance(uint32_t index) {
    return names_of(at_, index, 0, sources_.hosts(), sources_.hosts()).instance.has_value();
  }

  std::string place(uint32_t index, size_t element) {
    const auto names = names_of(at_, index, element, sources_.hosts(), sources_.hosts());
    std::string out = names.host.value_or("");
    if (names.instance) out += fmt::format("[{}]", *names.instance);
    return out.empty() ? fmt::format("#{}", element) : out;
  }

  // Of a comparison: how much its left side would have to change by.
  std::string distance(uint32_t index, size_t element) {
    const PmieNode& node = at_.program().nodes[index];
    const bool compares = kind_of(node.op) == OpKind::relation && node.op != PmieOp::text_equal &&
                          node.op != PmieOp::text_unequal;
    if (!compares) return {};
    const double left = side(node.left, node.left_is_set, element);
    const double right = side(node.right, node.right_is_set, element);
    if (!std::isfinite(left) || !std::isfinite(right)) return {};
    const double change = right - left;
    if (change == 0) return "  (at the threshold)";
    std::string out =
        fmt::format("  ({}{}, {} {} the threshold", number_text(left), units_behind(node.left),
                    number_text(std::abs(change)), change > 0 ? "below" : "above");
    if (right != 0) out += fmt::format(", {:.3g} %", 100 * std::abs(change / right));
    return out + ")";
  }

  double side(uint32_t operand, bool is_set, size_t element) {
    const NodeState& state = at_.state(operand);
    const size_t i = is_set ? element : 0;
    return state.valid > 0 && i < state.span() ? state.sample(0)[i] : std::nan("");
  }

  // Of what is unknown the first part that is, none of whose own parts is.
  std::string cause(uint32_t index) {
    const PmieNode& node = at_.program().nodes[index];
    for (const uint32_t operand : {node.left, node.right}) {
      if (operand == kNone || !is_unknown(operand)) continue;
      if (at_.program().nodes[operand].op != PmieOp::constant) return cause(operand);
    }
    if (node.dim == Dim::sample) return too_few_samples(node);
    const std::string why = reason(index);
    if (why.empty()) return sizes_within(index);
    if (node.op != PmieOp::fetch) return why;
    return fmt::format(": {}{}", at_.program().fetches[node.fetch].name, why);
  }

  // The first part below whose two sets are not of one size.
  std::string sizes_within(uint32_t index) {
    for (uint32_t i = at_.program().nodes[index].first; i < index; ++i) {
      if (std::string out = sizes(i); !out.empty()) return out;
    }
    return {};
  }

  // ": 3 instances against 1 …" where pmie cannot pair the sets of an operator.
  std::string sizes(uint32_t index) {
    const PmieNode& node = at_.program().nodes[index];
    const OpKind kind = kind_of(node.op);
    const bool pairs =
        kind == OpKind::arithmetic || kind == OpKind::relation || kind == OpKind::logic;
    const bool two =
        pairs && node.left != kNone && node.right != kNone && node.left_is_set && node.right_is_set;
    if (!two || is_unknown(node.left) || is_unknown(node.right)) return {};
    const size_t left = at_.state(node.left).span(), right = at_.state(node.right).span();
    if (left == right) return {};
    return fmt::format(": {} instance{} against {}: pmie cannot pair them", left,
                       left == 1 ? "" : "s", right);
  }

  std::string too_few_samples(const PmieNode& node) {
    const NodeState& of = at_.state(node.left);
    return fmt::format(": it needs {} samples in a row, and has {}{}", of.shape.held(),
                       std::max<int64_t>(of.valid, 0), after_gap(node.left, of.shape.held() - 1));
  }

  // ", after a gap …" where one of so many samples before the last would be in a gap, or before it.
  std::string after_gap(uint32_t index, int32_t samples) {
    for (uint32_t i = at_.program().nodes[index].first; i <= index; ++i) {
      const PmieNode& node = at_.program().nodes[i];
      if (node.op != PmieOp::fetch) continue;
      for (const HostMetric& metric : at_.program().fetches[node.fetch].hosts) {
        const Gap* const gap = gap_within(metric.source, samples);
        if (gap != nullptr) return ", after " + gap_text(*gap);
      }
    }
    return {};
  }

  std::string reason(uint32_t index) {
    const PmieNode& node = at_.program().nodes[index];
    if (node.op == PmieOp::fetch) return ": " + absence(index);
    if (node.op == PmieOp::delay) {
      return fmt::format(": {} earlier sample{} needed{}", node.delay,
                         node.delay == 1 ? " is" : "s are", after_gap(node.left, node.delay));
    }
    if (node.op == PmieOp::rate || node.op == PmieOp::rising || node.op == PmieOp::falling) {
      if (at_.state(node.left).valid == 1) return ": the first sample" + after_gap(node.left, 1);
    }
    return sizes(index);
  }

  // Of a fetch.
  std::string absence(uint32_t index) {
    const uint32_t fetch = at_.program().nodes[index].fetch;
    const FetchState& state = at_.fetched(fetch);
    const bool is_empty = state.absence == FetchAbsence::none;
    const auto empty =
        std::ranges::find_if(state.hosts, [](const HostState& of) { return of.ids.empty(); });
    const size_t place = !is_empty || empty == state.hosts.end()
                             ? state.absent_host
                             : static_cast<size_t>(empty - state.hosts.begin());
    const HostMetric& metric = at_.program().fetches[fetch].hosts[place];
    const HostState& host = state.hosts[place];
    const std::string where = sources_.host(metric.source);
    if (metric.source < moment_.ends.size() && moment_.ends[metric.source] < moment_.when) {
      return fmt::format("the recording of {} ends at {}", where,
                         event_time_text(moment_.ends[metric.source], moment_.zone));
    }
    if (const Gap* const gap = gap_within(metric.source, 0)) {
      return fmt::format("the archive of {} has {}", where, gap_text(*gap));
    }
    const auto instance = [&]() -> std::string {
      const bool named = host.names != nullptr && state.absent_element < host.names->size();
      return named ? fmt::format(" of {}", (*host.names)[state.absent_element]) : "";
    };
    switch (state.absence) {
      case FetchAbsence::nothing: return fmt::format("{} has no value at this time", where);
      case FetchAbsence::not_all: return fmt::format("{} has no value{}", where, instance());
      case FetchAbsence::unreadable: return fmt::format("{} has a value of another type", where);
      case FetchAbsence::first_sample:
        return fmt::format("first sample of a counter of {}{}", where, after_gap(index, 1));
      case FetchAbsence::changed:
        if (const std::string after = after_gap(index, 1); !after.empty()) {
          return fmt::format("first sample of a counter of {}{}", where, after);
        }
        if (host.ids.empty()) return fmt::format("{} has no value at this time", where);
        return fmt::format("instances of {} have changed", where);
      case FetchAbsence::fell:
        return fmt::format("the counter{} of {} has fallen: it hides all of them here (D115)",
                           instance(), where);
      case FetchAbsence::none: break;
    }
    return fmt::format("{} has no instances at this time", where);
  }

  // The last gap that reaches into the time from so many samples before the last up to that one.
  // 0: the last one itself is in it.
  [[nodiscard]] const Gap* gap_within(uint32_t source, int32_t samples) const {
    if (source >= moment_.gaps.size()) return nullptr;
    const double delta = at_.program().statements[moment_.statement].delta;
    const double from = moment_.when - samples * delta;
    const Gap* out = nullptr;
    for (const Gap& gap : moment_.gaps[source]) {
      const bool is_before = gap.to && seconds_of(*gap.to) <= from;
      if (!is_before && seconds_of(gap.from) < moment_.when) out = &gap;
    }
    return out;
  }

  [[nodiscard]] std::string gap_text(const Gap& gap) const {
    const auto time = [&](Stamp stamp) { return event_time_text(seconds_of(stamp), moment_.zone); };
    return fmt::format("a gap ({}) from {} to {}",
                       gap.cause == GapCause::mark ? "mark" : "another archive begins",
                       time(gap.from), gap.to ? time(*gap.to) : "its end");
  }

  const PmieEvaluator& at_;
  const WhyMoment& moment_;
  const RuleSources& sources_;
  std::string_view written_;
  bool in_tree_ = false;
  std::string out_;
};

}  // namespace

std::string why_tree(const pmie::PmieEvaluator& at, const WhyMoment& moment,
                     const pmie::RuleSources& sources) {
  const uint32_t root = at.program().statements[moment.statement].root;
  return Why(at, moment, sources, {}).tree(root);
}

std::string why_text(const pmie::PmieEvaluator& at, const WhyMoment& moment,
                     const pmie::RuleSources& sources, std::string_view written) {
  const uint32_t root = at.program().statements[moment.statement].root;
  return Why(at, moment, sources, written).text(root);
}

std::string why_head(const std::string& name, const std::string& verdict, double when, Zone& zone) {
  const std::string time = event_time_text(when, zone);
  if (verdict.empty()) return fmt::format("{} at {}\n", name, time);
  const std::string truth = verdict.substr(0, verdict.find(':'));
  return fmt::format("{} is {} at {}{}\n", name, truth, time, verdict.substr(truth.size()));
}

std::string verdict_text(const pmie::PmieEvaluator& at, const WhyMoment& moment,
                         const pmie::RuleSources& sources) {
  const uint32_t root = at.program().statements[moment.statement].root;
  return Why(at, moment, sources, {}).verdict(root);
}

}  // namespace pmjit
