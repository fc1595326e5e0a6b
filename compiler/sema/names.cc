#include "compiler/sema/names.h"

#include <set>

namespace pmjit {

InstanceMatch match_instance(const Catalog& catalog, InDomId domain, std::string_view wanted) {
  std::set<std::string> by_first_word;
  std::string longer;
  for (const Catalog::Instance& instance : catalog.instances(domain)) {
    const std::string_view name = instance.name;
    if (name == wanted) return {InstanceMatch::How::found, instance.name};
    const size_t blank = name.find(' ');
    if (blank == std::string_view::npos) continue;
    const std::string_view word = name.substr(0, blank);
    if (word == wanted) by_first_word.insert(instance.name);
    if (wanted.starts_with(word)) longer = instance.name;
  }
  if (by_first_word.size() == 1) return {InstanceMatch::How::found, *by_first_word.begin()};
  if (by_first_word.size() > 1) return {InstanceMatch::How::several, *by_first_word.begin()};
  if (!longer.empty()) return {InstanceMatch::How::longer_than_first_word, longer};
  return {};
}

}  // namespace pmjit
