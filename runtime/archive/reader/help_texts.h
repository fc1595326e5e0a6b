// Texts: one-line and long help texts of metrics and instance domains. They have no time: of
// several texts of one kind for one identifier the last in the file counts.
//
//   texts.look_up(TextKind::help, TextOf::metric, pmid)  →  the text, or PM_ERR_TEXT …
//
// Texts are views into the metadata file. Source: spec archives.md §6.5, §11; tools.md §2.9.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/archive/format/damage.h"
#include "runtime/archive/reader/or_pm_code.h"
#include "runtime/base/bytes.h"
#include "runtime/model/text_kind.h"

namespace pmjit {

enum class TextOf : uint32_t { metric = 4, indom = 8 };  // PM_TEXT_PMID, PM_TEXT_INDOM

class Texts {
 public:
  void add(TextKind kind, TextOf of, uint32_t ident, std::string_view text);
  // Every text of `newer` replaces ours.
  void merge(const Texts& newer);

  // This kind and no other.
  [[nodiscard]] std::optional<std::string_view> find(TextKind kind, TextOf of,
                                                     uint32_t ident) const;
  // As pmLookupText and pmLookupInDomText have it: the one-line text where a long one is absent or
  // empty. PM_ERR_TEXT: there is none; PM_ERR_NOTHOST: there is none of the kind for anything.
  [[nodiscard]] OrPmCode<std::string_view> look_up(TextKind kind, TextOf of, uint32_t ident) const;
  // Whoever has a text of any kind, ascending.
  [[nodiscard]] std::vector<uint32_t> idents(TextOf of) const;

 private:
  using Key = std::pair<uint32_t, uint32_t>;  // identifier, kind
  [[nodiscard]] const std::map<Key, std::string_view>& of(TextOf of) const {
    return of == TextOf::metric ? metrics_ : indoms_;
  }
  std::map<Key, std::string_view> metrics_, indoms_;
};

// `payload` starts behind the type word.
[[nodiscard]] OrDamage<void> read_text_record(Bytes payload, Texts& out);

}  // namespace pmjit
