#include "runtime/model/pm_type.h"

namespace pmjit {

std::string_view pm_type_text(int type) {
  switch (type) {
#define PM_TYPE(name, number, text, title) \
  case number: return text;
#include "runtime/model/pm_types.def"
#undef PM_TYPE
    default: return "???";
  }
}

std::string_view pm_type_title(int type) {
  switch (type) {
#define PM_TYPE(name, number, text, title) \
  case number: return title;
#include "runtime/model/pm_types.def"
#undef PM_TYPE
    default: return "";
  }
}

}  // namespace pmjit
