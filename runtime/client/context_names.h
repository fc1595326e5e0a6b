// A name space that is at hand – an archive's, or one of a file – as the answers of a Context.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/reader/name_space.h"
#include "runtime/client/context.h"

namespace pmjit {

template <class T>
[[nodiscard]] OrPmError<T> as_pm_error(const OrPmCode<T>& found) {
  if (!found) return pm_fail(found.error());
  return *found;
}

[[nodiscard]] std::vector<OrPmError<PmId>> look_up_in(const NameSpace& in,
                                                      std::span<const std::string_view> names);
[[nodiscard]] OrPmError<std::vector<std::string>> names_in(const NameSpace& in, PmId pmid);
[[nodiscard]] OrPmError<std::vector<Context::Child>> children_in(const NameSpace& in,
                                                                 std::string_view name);
[[nodiscard]] OrPmError<std::vector<Context::Leaf>> leaves_in(const NameSpace& in,
                                                              std::string_view name);

}  // namespace pmjit
