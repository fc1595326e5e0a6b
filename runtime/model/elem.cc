#include "runtime/model/elem.h"

#include <array>

namespace pmjit {

namespace {

struct ElemRow {
  std::string_view text;
  size_t bytes;
  int pm_type;
};

constexpr ElemRow kElems[] = {
#define ELEM(name, text, bytes, pm) {text, bytes, pm},
#include "runtime/model/elem.def"
#undef ELEM
};

const ElemRow& row(Elem elem) { return kElems[static_cast<size_t>(elem)]; }

}  // namespace

std::string_view elem_text(Elem elem) { return row(elem).text; }
size_t elem_bytes(Elem elem) { return row(elem).bytes; }

std::optional<Elem> elem_from_text(std::string_view text) {
  for (size_t i = 0; i < std::size(kElems); ++i) {
    if (kElems[i].text == text) return static_cast<Elem>(i);
  }
  return std::nullopt;
}

std::optional<Elem> elem_from_pm(int type) {
  if (type == 8) return Elem::bytes;  // AGGREGATE_STATIC
  for (size_t i = 0; i < std::size(kElems); ++i) {
    if (kElems[i].pm_type == type && type >= 0) return static_cast<Elem>(i);
  }
  return std::nullopt;
}

std::string_view pm_type_name(Elem elem) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "32", "U32", "64", "U64", "FLOAT", "DOUBLE", "STRING", "AGGREGATE"};
  const int type = row(elem).pm_type;
  return type < 0 ? "truth" : kNames[static_cast<size_t>(type)];
}

}  // namespace pmjit
