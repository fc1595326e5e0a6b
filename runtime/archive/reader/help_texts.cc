#include "runtime/archive/reader/help_texts.h"

#include <algorithm>

namespace pmjit {

void Texts::add(TextKind kind, TextOf of, uint32_t ident, std::string_view text) {
  auto& texts = of == TextOf::metric ? metrics_ : indoms_;
  texts.insert_or_assign({ident, static_cast<uint32_t>(kind)}, text);
}

void Texts::merge(const Texts& newer) {
  for (const auto& [key, text] : newer.metrics_) metrics_.insert_or_assign(key, text);
  for (const auto& [key, text] : newer.indoms_) indoms_.insert_or_assign(key, text);
}

std::optional<std::string_view> Texts::find(TextKind kind, TextOf of, uint32_t ident) const {
  const auto& texts = this->of(of);
  const auto found = texts.find({ident, static_cast<uint32_t>(kind)});
  if (found == texts.end()) return std::nullopt;
  return found->second;
}

OrPmCode<std::string_view> Texts::look_up(TextKind kind, TextOf of, uint32_t ident) const {
  const auto found = find(kind, of, ident);
  if (kind == TextKind::help && (!found || found->empty())) {
    return look_up(TextKind::one_line, of, ident);
  }
  if (found) return *found;
  const auto is_of_kind = [kind](const auto& one) {
    return one.first.second == static_cast<uint32_t>(kind);
  };
  const bool any = std::ranges::any_of(this->of(of), is_of_kind);
  return std::unexpected(any ? pm_err::E_TEXT : pm_err::E_NOTHOST);
}

std::vector<uint32_t> Texts::idents(TextOf of) const {
  std::vector<uint32_t> out;
  for (const auto& [key, text] : this->of(of)) {
    if (out.empty() || out.back() != key.first) out.push_back(key.first);
  }
  return out;
}

OrDamage<void> read_text_record(Bytes payload, Texts& out) {
  ByteReader in(payload);
  const uint32_t type = in.u32(), ident = in.u32();
  if (!in.ok()) return damaged("help text is too short", 0);
  bool has_kind = false, has_of = false;
  const std::string_view stored = in.text(in.left());
  for (const TextKind kind : {TextKind::one_line, TextKind::help}) {
    for (const TextOf of : {TextOf::metric, TextOf::indom}) {
      const auto kind_bit = static_cast<uint32_t>(kind), of_bit = static_cast<uint32_t>(of);
      has_kind = has_kind || (type & kind_bit) != 0;
      has_of = has_of || (type & of_bit) != 0;
      // A type that says more than these two bits is let pass, and never found.
      if (type == (kind_bit | of_bit))
        out.add(kind, of, ident, stored.substr(0, stored.find('\0')));
    }
  }
  if (!has_kind || !has_of) return damaged("help text is of no known kind", 0);
  return {};
}

}  // namespace pmjit
