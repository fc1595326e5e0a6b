// NameDictionary: a dictionary of an Arrow stream that grows while it is written.
//
//   auto code = names.code("sda");                        // 0, 1, … in the order of appearance
//   if (names.grown()) names.renumber(codes), names.put(sink, id);
//
// A dictionary that has grown is put again as a whole: readers that take additions (deltas) are
// few. So that names that come and go do not make it longer and longer, it drops those that the
// rows at hand do not use once they are more than the used ones.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/base/result.h"
#include "runtime/report/sink/sink.h"

namespace pmjit::arrow {

inline constexpr int32_t kNoName = -1;  // instead of a code: null

class NameDictionary {
 public:
  // An error where the name is not UTF-8, as Arrow's texts have to be.
  [[nodiscard]] Result<int32_t> code(std::string_view name);
  [[nodiscard]] bool grown() const { return grown_; }  // since it was put
  [[nodiscard]] size_t size() const { return names_.size(); }
  // Drops names if that is due: `codes`, kNoName among them, and no others are in use, and become
  // those of now. True: all other codes are void.
  bool renumber(std::span<int32_t> codes);
  void put(Sink& sink, int64_t id);

 private:
  std::deque<std::string> names_;  // by code; a deque, for codes_ points to its texts
  std::unordered_map<std::string_view, int32_t> codes_;
  size_t bytes_ = 0;
  bool grown_ = true;  // even an empty dictionary has to be put
};

// The error of a text that Arrow cannot hold.
Error not_utf8(std::string_view what, std::string_view text);

}  // namespace pmjit::arrow
