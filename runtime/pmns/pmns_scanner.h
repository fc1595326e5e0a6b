// PmnsScanner: the words of a name space file after pre-processing, and messages about them.
// Source: spec pmapi.md §6.2, §6.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/model/desc.h"

namespace pmjit {

// Of names below which one agent has its own; many may have it.
inline constexpr uint32_t kDynamicDomain = 511;

class PmnsScanner {
 public:
  enum class Kind : uint8_t { end, open, close, name, path, pmid, other, failed };
  struct Token {
    Kind kind = Kind::end;
    std::string_view text{};  // until the next word is asked for
    PmId pmid = kNullId;
  };

  // `file`: what it is called until the text says otherwise.
  PmnsScanner(std::string_view text, std::string_view file) : rest_(text), file_(file) {}

  // Kind::failed: a line cannot be understood, and that was said.
  [[nodiscard]] Token next();
  // A message about the word that was given last.
  void complain(std::string_view what);
  // One about the names that are known by now; what stood in the line is forgotten.
  void complain_of_names(std::string_view what);
  [[nodiscard]] const std::string& messages() const { return messages_; }

 private:
  [[nodiscard]] bool next_line();
  [[nodiscard]] bool take_marker();

  std::string_view rest_;
  std::string file_, line_;
  int32_t number_ = 0;            // of the line; none is told that is not above zero
  bool numbered_ = false;         // it is that of the next line already
  size_t at_ = 0;                 // where the next word begins
  std::optional<size_t> word_{};  // where the last one did, in whichever line
  std::string messages_;
};

}  // namespace pmjit
