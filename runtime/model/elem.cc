#include "runtime/model/elem.h"

#include <iterator>

#include "runtime/model/pm_type.h"

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
  if (type == pm_type::aggregate_static) return Elem::bytes;
  for (size_t i = 0; i < std::size(kElems); ++i) {
    if (kElems[i].pm_type == type && type >= 0) return static_cast<Elem>(i);
  }
  return std::nullopt;
}

int pm_type_of(Elem elem) { return elem == Elem::truth ? pm_type::u32 : row(elem).pm_type; }

std::string_view pm_type_name(Elem elem) {
  const int type = row(elem).pm_type;
  return type < 0 ? "truth" : pm_type_text(type);
}

}  // namespace pmjit
