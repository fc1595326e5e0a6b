// MemorySource: the recording of a case as a Recording, nothing written anywhere. The shortest way
// from samples to blocks, so that a difference to another carrier is the other carrier's.
#pragma once

#include "runtime/model/recording.h"
#include "runtime/testing/case_recording.h"

namespace pmjit::cases {

class MemorySource final : public Recording, private Catalog {
 public:
  explicit MemorySource(const CaseRecording& recording) : recording_(recording) {}

  const Catalog& catalog() const override { return *this; }
  std::string host() const override { return recording_.host; }
  Stamp start() const override;
  Stamp end() const override;
  Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan, Rosters& rosters) const override;

 private:
  Result<Desc> describe(std::string_view metric) const override;
  std::vector<std::string> leaves(std::string_view prefix) const override;
  std::optional<std::string> instance_name(InDomId indom, int32_t id, Stamp when) const override;
  std::vector<Catalog::Instance> instances(InDomId indom) const override;
  std::vector<std::string> names_ever(InDomId indom) const override;

  const CaseRecording& recording_;
};

}  // namespace pmjit::cases
