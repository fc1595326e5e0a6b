#include "runtime/archive/reader/texts.h"

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
  const TextKind other = kind == TextKind::help ? TextKind::one_line : TextKind::help;
  for (const TextKind one : {kind, other}) {
    if (const auto text = find(one, of, ident)) return *text;
  }
  return std::unexpected(this->of(of).empty() ? pm_err::E_NOTHOST : pm_err::E_TEXT);
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
  const auto has = [type](auto bit) { return (type & static_cast<uint32_t>(bit)) != 0; };
  const bool kind = has(TextKind::one_line) || has(TextKind::help);
  const bool of = has(TextOf::metric) || has(TextOf::indom);
  if (!kind || !of || in.left() == 0 || payload.back() != std::byte{0}) {
    return damaged("help text is of no known kind or does not end", 0);
  }
  const std::string_view stored = in.text(in.left());
  out.add(has(TextKind::one_line) ? TextKind::one_line : TextKind::help,
          has(TextOf::metric) ? TextOf::metric : TextOf::indom, ident,
          stored.substr(0, stored.find('\0')));
  return {};
}

}  // namespace pmjit
