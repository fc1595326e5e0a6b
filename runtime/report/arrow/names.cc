#include "runtime/report/arrow/names.h"

#include <fmt/format.h>

#include <vector>

#include "runtime/report/arrow/messages.h"
#include "runtime/report/text/quoting.h"

namespace pmjit::arrow {

namespace {
constexpr size_t kBytesMax = INT32_MAX;  // their ends are 32-bit numbers
}

Error not_utf8(std::string_view what, std::string_view text) {
  return Error(Fault::unsupported,
               fmt::format("{} {} is not UTF-8, as texts in Arrow are", what, json_text(text)))
      .help("-o csv has it byte by byte");
}

Result<int32_t> NameDictionary::code(std::string_view name) {
  if (const auto known = codes_.find(name); known != codes_.end()) return known->second;
  if (!is_utf8(name)) return fail(not_utf8("the name", name));
  if (name.size() > kBytesMax - bytes_) {
    return fail(Fault::limit, fmt::format("names of more than {} bytes", kBytesMax));
  }
  bytes_ += name.size();
  grown_ = true;
  const auto code = static_cast<int32_t>(names_.size());
  codes_.emplace(names_.emplace_back(name), code);
  return code;
}

bool NameDictionary::renumber(std::span<int32_t> codes) {
  std::vector<bool> is_used(names_.size());
  size_t used = 0;
  for (const int32_t code : codes) {
    if (code == kNoName) continue;
    const auto at = static_cast<size_t>(code);
    used += !is_used[at];
    is_used[at] = true;
  }
  if (names_.size() <= 2 * used) return false;
  std::vector<int32_t> new_codes(names_.size());
  std::deque<std::string> kept;
  codes_.clear();
  for (size_t at = 0; at < names_.size(); ++at) {
    if (!is_used[at]) continue;
    new_codes[at] = static_cast<int32_t>(kept.size());
    codes_.emplace(kept.emplace_back(std::move(names_[at])), new_codes[at]);
  }
  names_ = std::move(kept);
  bytes_ = 0;
  for (const std::string& name : names_) bytes_ += name.size();
  for (int32_t& code : codes) {
    if (code != kNoName) code = new_codes[static_cast<size_t>(code)];
  }
  return true;
}

void NameDictionary::put(Sink& sink, int64_t id) {
  std::string texts;
  std::vector<int32_t> ends{0};
  for (const std::string& name : names_) {
    texts += name;
    ends.push_back(static_cast<int32_t>(texts.size()));
  }
  MessageBody body;
  body.add_column(names_.size(), 0);
  body.add_buffer({});
  body.add_array<int32_t>(ends);
  body.add_buffer(texts);
  put_dictionary(sink, id, names_.size(), body);
  grown_ = false;
}

}  // namespace pmjit::arrow
