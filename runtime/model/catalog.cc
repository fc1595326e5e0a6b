#include "runtime/model/catalog.h"

namespace pmjit {

std::vector<std::string> Catalog::names_ever(InDomId indom) const {
  std::vector<std::string> out;
  for (Instance& instance : instances(indom)) out.push_back(std::move(instance.name));
  return out;
}

}  // namespace pmjit
