// RuleMetrics of two hosts, alpha and beta, with a metric of each kind that matters to the reader.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

class FakeMetrics final : public RuleMetrics {
 public:
  Result<uint32_t> source(std::string_view host) override {
    if (host.empty() || host == "alpha") return 0;
    if (host == "beta") return 1;
    return fail(Fault::not_found, "no archive of this host");
  }
  std::string host(uint32_t source) const override { return source == 0 ? "alpha" : "beta"; }
  std::string title(uint32_t source) const override {
    return source == 0 ? "archive lab (host alpha)" : "archive labb (host beta)";
  }
  OrPmError<PmId> look_up(uint32_t, std::string_view name) override {
    ++look_ups;
    if (name == "lab") return pm_fail(pm_err::E_NONLEAF);
    for (PmId i = 0; i < std::size(kMetrics); ++i)
      if (kMetrics[i].name == name) return i;
    return pm_fail(pm_err::E_NAME);
  }
  OrPmError<Desc> describe(uint32_t, PmId pmid) override {
    const Metric& metric = kMetrics[pmid];
    return Desc{.pmid = pmid,
                .pm_type = metric.type,
                .indom = metric.indom,
                .semantics = metric.semantics,
                .units = metric.units};
  }
  OrPmError<std::vector<Catalog::Instance>> instances(uint32_t, InDomId indom) override {
    if (indom == kDisks) return std::vector<Catalog::Instance>{{0, "sda"}, {1, "sdb"}, {2, "sdc"}};
    if (indom == kDynamic)
      return std::vector<Catalog::Instance>{
          {1, "one"}, {2, "two words"}, {3, "three"}, {9, "nine"}};
    return std::vector<Catalog::Instance>{{0, "x0"}, {1, "x1"}, {2, "x2"}};
  }

  int look_ups = 0;

 private:
  static constexpr InDomId kDisks = 1, kDynamic = 2, kOthers = 3;
  struct Metric {
    std::string_view name;
    int type;
    Semantics semantics;
    InDomId indom;
    Units units;
  };
  static constexpr Metric kMetrics[] = {
      {"lab.inst", pm_type::u32, Semantics::instant, kNullId, {}},
      {"lab.disc", pm_type::u32, Semantics::discrete, kNullId, {}},
      {"lab.cnt", pm_type::u64, Semantics::counter, kNullId, {.dim_count = 1}},
      {"lab.kb", pm_type::u64, Semantics::counter, kNullId, {.dim_space = 1, .scale_space = 1}},
      {"lab.ms", pm_type::u32, Semantics::counter, kNullId, {.dim_time = 1, .scale_time = 2}},
      {"lab.str", pm_type::string, Semantics::discrete, kNullId, {}},
      {"lab.disk", pm_type::u32, Semantics::instant, kDisks, {}},
      {"lab.dyn", pm_type::u32, Semantics::instant, kDynamic, {}},
      {"lab.disk2", pm_type::u32, Semantics::instant, kOthers, {}},
      {"lab.event", pm_type::event, Semantics::instant, kNullId, {}},
  };
};

// What was said, as one text.
struct Said : RuleReader::Messages {
  void put(std::string_view more) override { text += more; }
  void log(std::string_view severity, std::string_view more) override {
    text += fmt::format("[DATE] pmie(PID) {}: {}\n", severity, more);
  }
  std::string text;
};

}  // namespace pmjit::pmie
