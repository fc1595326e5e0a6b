#include "compiler/strict_rules/selectors.h"

namespace pmjit::strict {

namespace {

constexpr std::string_view kSelectors = "hivc";

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

// A % before anything but a letter or another % is only that.
std::vector<TextPiece> pieces_of(std::string_view text) {
  std::vector<TextPiece> out{{}};
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] != '%' || (next != '%' && !is_word(next))) {
      out.back().text += text[i];
      continue;
    }
    ++i;
    if (next == '%') {
      out.back().text += '%';
      continue;
    }
    out.push_back({.selector = next});
    out.push_back({});
  }
  return out;
}

void check_selectors(const Verb& verb, Span where, Diags& diags) {
  for (const std::string& text : verb.texts) {
    for (const TextPiece& piece : pieces_of(text)) {
      if (piece.selector == 0 || kSelectors.contains(piece.selector)) continue;
      diags.add(DiagCode::D_UnknownSelector, where, std::string(1, piece.selector))
          .help("there are %h, %i, %v and %c; a % is written %%");
    }
  }
}

}  // namespace pmjit::strict
