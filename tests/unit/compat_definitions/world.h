// A context made by hand for the tests of compiler/compat/definitions: metrics, instance domains,
// and fetches that are written as text.
//
//   World world;
//   world.metric("a", "u32 counter Kbyte 1.1");
//   Running run(world, "delta(a)");
//   EXPECT_EQ(run.at(10, {{"a", "0:5 1:7"}}), "");
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compat/definitions/bind.h"
#include "compiler/compat/definitions/evaluate.h"
#include "compiler/compat/definitions/parse.h"

namespace pmjit::test {

inline constexpr Dialect k6 = Dialect::pcp6, k7 = Dialect::pcp7;

class World final : public pcp::BindContext, public pcp::Domains {
 public:
  // TYPE SEMANTICS UNITS [DOMAIN]: "u32 counter Kbyte/sec 1.1". Blanks of units are `_`.
  World& metric(const std::string& name, const std::string& description);
  World& derived(const std::string& name, const std::string& description);
  // Found by name, but without a descriptor.
  World& undescribed(const std::string& name);

  std::map<std::string, int32_t> instance_ids;    // of every domain
  std::map<int32_t, std::string> instance_names;  // likewise
  OrPmError<std::vector<int32_t>> all_instances;  // likewise
  EquivalentDomains equivalent;
  int names_asked = 0;

  [[nodiscard]] OrPmError<Found> find(std::string_view name) override;
  [[nodiscard]] OrPmError<Desc> desc_of(PmId pmid) override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override;
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override;
  [[nodiscard]] OrPmError<std::vector<int32_t>> instances(InDomId indom) override;

 private:
  struct Metric {
    Desc desc;
    bool derived, described;
  };
  void add(const std::string& name, const std::string& description, bool derived);
  std::map<std::string, Metric, std::less<>> metrics_;
};

inline constexpr InDomId kDomain = 1u << 22 | 1;  // 1.1
std::string units_name(const Units& units);       // "none" for none
// "U32 counter Kbyte 1.1"; without a domain "U32 counter Kbyte".
std::string described(const Desc& desc);

struct BindHow {
  Dialect dialect = Dialect::pcp6;
  bool missing_are_novalue = false;
};
std::expected<pcp::PcpTree, pcp::BindError> bound(World& world, std::string_view expression,
                                                  const BindHow& how);
// What a bound expression is, or "WHAT: MESSAGE", or "silent: WHAT".
std::string said(World& world, std::string_view expression, Dialect dialect = Dialect::pcp6);

// An expression over one fetch after another.
class Running {
 public:
  Running(World& world, std::string_view expression, Dialect dialect = Dialect::pcp6);
  // Of the metrics that are named: "5" of a singular one, "0:5 1:7", "" for no values, "!-12345"
  // for an error. The result in the same form; floating point as %.17g. "unbound: …" if there is no
  // tree.
  std::string at(double seconds, const std::vector<std::pair<std::string, std::string>>& sets);
  [[nodiscard]] const pcp::PcpTree& tree() const { return evaluation_->tree(); }

 private:
  World& world_;
  std::string refused_;
  std::unique_ptr<pcp::PcpEvaluation> evaluation_;
};

// The last of a few fetches of `a` (and `b`), ten seconds apart.
std::string value_of(World& world, std::string_view expression,
                     const std::vector<std::pair<std::string, std::string>>& sets = {},
                     Dialect dialect = Dialect::pcp6);

}  // namespace pmjit::test
