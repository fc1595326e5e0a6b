#include "compiler/compat/pmie/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "compiler/ast/words.h"
#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/rule_reader.h"
#include "runtime/base/blanks.h"
#include "runtime/base/near.h"

namespace pmjit::pmie {

namespace {

// A value is a constant: there is nothing to be looked up.
class NoMetrics final : public RuleMetrics {
 public:
  Result<uint32_t> source(std::string_view) override { return 0; }
  [[nodiscard]] std::string host(uint32_t) const override { return {}; }
  [[nodiscard]] std::string title(uint32_t) const override { return {}; }
  OrPmError<PmId> look_up(uint32_t, std::string_view) override { return pm_fail(pm_err::E_NAME); }
  OrPmError<Desc> describe(uint32_t, PmId) override { return pm_fail(pm_err::E_NAME); }
  OrPmError<std::vector<Catalog::Instance>> instances(uint32_t, InDomId) override {
    return pm_fail(pm_err::E_NAME);
  }
};

struct NoMessages final : RuleReader::Messages {
  void put(std::string_view) override { any = true; }
  void log(std::string_view, std::string_view) override { any = true; }
  bool any = false;
};

// The constant that a file would define with this text.
std::optional<PmieMacro> constant_of(const std::string& value) {
  constexpr std::string_view kName = "value";
  NoMetrics metrics;
  NoMessages messages;
  RuleReader reader(metrics, messages, {});
  const auto read = reader.read(fmt::format("{} = {}\n;", kName, value), "");
  const MacroNames& defined = reader.defined();
  if (!read || messages.any || defined != MacroNames{std::string(kName)}) return std::nullopt;
  if (!reader.program().statements.empty()) return std::nullopt;
  return *reader.macro(kName);
}

std::string_view kind_of(Sem sem) {
  if (sem == Sem::text) return "a text";
  return sem == Sem::truth ? "true or false" : "a number";
}

std::string in_units(const Units& units) {
  return units.none() ? "without units" : "in " + units_text(units);
}

std::unexpected<Error> refused(std::string what, std::string help) {
  return fail(Error(Fault::usage, std::move(what)).help(std::move(help)));
}

// 5kb: a number and no unit.
std::string number_help(std::string_view value) {
  const size_t digits = std::min(value.find_first_not_of("0123456789. "), value.size());
  const std::string_view unit = value.substr(digits);
  const std::string meant = unit.empty() || digits == 0 ? "" : unit_meant(unit);
  return meant.empty() ? "it is a number" : fmt::format("there is no unit {}; {}", unit, meant);
}

// 5 or 5 sec, where the macro is in Kbyte.
std::string units_help(const std::string& name, std::string_view value, const Units& wanted) {
  const std::string_view digits = value.substr(0, value.find_first_not_of("-0123456789."));
  const std::string meant = fmt::format("{} {}", digits, units_text(wanted));
  const auto read = wanted.none() ? std::nullopt : constant_of(meant);
  const bool fits = read && same_dimensions(read->units, wanted);
  return fits ? fmt::format("as in --set '{}={}'", name, meant)
              : "write a value in units of that kind";
}

constexpr std::array<std::string_view, 7> kVariables = {"delta", "minute", "hour",       "day",
                                                        "month", "year",   "day_of_week"};

}  // namespace

Result<Settings> parse_settings(std::span<const std::string> written) {
  Settings out;
  for (const std::string& text : written) {
    const size_t sign = text.find('=');
    if (sign == text.npos || sign == 0 || sign + 1 == text.size()) {
      return refused(fmt::format("`{}` is not NAME=VALUE", text), "as in --set cpu_busy=95");
    }
    const std::string_view written_name(text.data(), sign);
    const std::string name(without_blanks(written_name));
    if (!out.emplace(name, without_blanks(std::string_view(text).substr(sign + 1))).second) {
      return refused(fmt::format("the macro {} is set twice", name), "leave one out");
    }
  }
  return out;
}

Result<PmieMacro> set_macro(const std::string& name, const std::string& value,
                            const PmieMacro& constant) {
  // The shell takes quotes away, so a text needs none.
  if (constant.sem == Sem::text && !value.starts_with('"')) {
    return PmieMacro{.sem = Sem::text, .text = value};
  }
  const auto set = constant_of(value);
  if (!set || set->sem != constant.sem) {
    return refused(fmt::format("`{}` does not fit the macro {}", value, name),
                   constant.sem == Sem::number ? number_help(value)
                                               : fmt::format("it is {}", kind_of(constant.sem)));
  }
  if (set->sem == Sem::number && !std::isfinite(set->number)) {
    return refused(fmt::format("`{}` is too large for the macro {}", value, name),
                   "numbers are binary64: they end at 1.797e308");
  }
  // The interval is one of seconds, whether the file says so or not.
  const bool is_delta = name == name_of(Variable::delta);
  const Units wanted =
      is_delta ? Units{.dim_time = 1, .scale_time = kTimeScaleSec} : constant.units;
  if (constant.sem == Sem::number && !same_dimensions(wanted, set->units)) {
    return refused(fmt::format("`{}` is {}, and the macro {} is {}", value, in_units(set->units),
                               name, in_units(wanted)),
                   units_help(name, value, wanted));
  }
  if (is_delta && !(set->number > 0)) {
    return refused(fmt::format("the interval delta must be more than nothing, not `{}`", value),
                   "as in --set delta=30sec");
  }
  return *set;
}

Result<void> check_settings(const Settings& settings, const MacroNames& defined) {
  for (const auto& [name, value] : settings) {
    if (defined.contains(name)) continue;
    const std::vector<std::string> all(defined.begin(), defined.end());
    const auto near = near_names(name, all);
    std::string help = near_names_text(near);
    if (near.empty()) {
      help = all.empty() ? "the rules define no macros"
                         : fmt::format("the rules define {}", fmt::join(all, ", "));
    }
    if (name == name_of(Variable::delta))
      help = "-t is the interval of rules without a delta: -t 30sec";
    return refused(fmt::format("no file of rules defines the macro {}", name), std::move(help));
  }
  return {};
}

std::span<const std::string_view> variable_names() { return kVariables; }

std::string_view name_of(Variable variable) { return kVariables[static_cast<size_t>(variable)]; }

PmieMacros::PmieMacros() {
  for (size_t i = 0; i < kVariables.size(); ++i)
    define(std::string(kVariables[i]),
           {.sem = Sem::variable, .variable = static_cast<Variable>(i)});
}

const PmieMacro* PmieMacros::find(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

}  // namespace pmjit::pmie
