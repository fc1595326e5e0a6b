// Arrays of event records that an agent fills record by record, in the layout of pmEventArray.
#pragma once

#include <cstddef>
#include <vector>

#include "agent/pmda/agent_state.h"

namespace pmjit {

class EventRecords {
 public:
  explicit EventRecords(bool highres) : highres_(highres) { reset(); }

  void reset();
  [[nodiscard]] bool highres() const { return highres_; }
  // 0, or why not. `count`: of parameters, or of records that were missed.
  int add_record(int64_t seconds, int64_t fraction, unsigned flags, int count);
  int add_parameter(pmID pmid, int type, const pmAtomValue& value);
  // Its head filled in; until the next change.
  [[nodiscard]] void* finished();

 private:
  [[nodiscard]] std::byte* room(size_t bytes);
  template <class T>
  void put(T value);

  bool highres_;
  std::vector<std::byte> bytes_;  // operator new aligns it for any type
  size_t last_record_ = 0;        // 0: there is none yet
  int records_ = 0;
};

}  // namespace pmjit
