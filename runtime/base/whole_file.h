// Files that are written whole or not at all: a new file beside the old one takes its name, so
// readers see all of the one or all of the other.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

// Could write_whole_file() do it? 0, or errno, EINVAL where a pipe or a device has that name. For
// whoever has much to do before he writes.
[[nodiscard]] int can_write_whole_file(const std::string& path);

// 0, or errno: then `path` is as it was. A file that is there keeps its permissions and, where we
// may say so, its owner; what a link points to is replaced or made, not the link.
[[nodiscard]] int write_whole_file(const std::string& path, std::string_view text);

// What such an errno says to a user.
[[nodiscard]] std::string whole_file_text(int err);

}  // namespace pmjit
