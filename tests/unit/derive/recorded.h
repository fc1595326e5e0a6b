// Recorded metrics made by hand: u32.a, u32.b (singular), i64.set, u32.set (domain 1.1), text.s,
// ctr (u64 counter), of a context whose instances are 0 "zero", 1 "one", 2 "two".
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "compiler/derive/context_deriver.h"
#include "runtime/client/deriver.h"

namespace pmjit::test {

class Recorded final : public RecordedMetrics {
 public:
  Recorded();
  [[nodiscard]] OrPmError<PmId> look_up(std::string_view name) const override;
  [[nodiscard]] OrPmError<Desc> describe(PmId pmid) const override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId, std::string_view name) const override;
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId, int32_t instance) const override;
  [[nodiscard]] OrPmError<std::vector<int32_t>> instances(InDomId) const override;
  [[nodiscard]] std::vector<Catalog::Instance> instances_ever(InDomId) const override;

 private:
  std::map<std::string, Desc, std::less<>> metrics_;
};

// Of 32-bit metrics, at a time in seconds.
FetchedSet set_of(PmId pmid, std::initializer_list<std::pair<int32_t, uint32_t>> values);

// "0:5 1:7", "!-12350", "5"; blocks as the number that they hold.
std::string text_of(const FetchedSet& set, int type);

}  // namespace pmjit::test
