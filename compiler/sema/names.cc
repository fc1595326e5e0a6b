#include "compiler/sema/names.h"

#include <fmt/format.h>

#include <set>

namespace pmjit {

namespace {

// What names make of one that is wanted, in whichever order they come.
class Match {
 public:
  explicit Match(std::string_view wanted) : wanted_(wanted) {}

  void look_at(const std::string& name) {
    const std::string_view text = name;
    if (text == wanted_) exact_ = name;
    const size_t blank = text.find(' ');
    if (blank == std::string_view::npos) return;
    const std::string_view word = text.substr(0, blank);
    if (word == wanted_) by_first_word_.insert(name);
    if (wanted_.starts_with(word)) longer_ = name;
  }

  [[nodiscard]] InstanceMatch made() const {
    if (exact_) return {InstanceMatch::How::found, *exact_};
    if (by_first_word_.size() == 1) return {InstanceMatch::How::found, *by_first_word_.begin()};
    if (by_first_word_.size() > 1) return {InstanceMatch::How::several, *by_first_word_.begin()};
    if (!longer_.empty()) return {InstanceMatch::How::longer_than_first_word, longer_};
    return {};
  }

 private:
  std::string_view wanted_;
  std::optional<std::string> exact_;
  std::set<std::string> by_first_word_;
  std::string longer_;
};

}  // namespace

InstanceMatch match_instance(const Catalog& catalog, std::span<const InDomId> domains,
                             std::string_view wanted) {
  Match match(wanted);
  for (const InDomId domain : domains) {
    for (const Catalog::Instance& instance : catalog.instances(domain)) {
      match.look_at(instance.name);
    }
  }
  return match.made();
}

std::string instance_meant(const std::string& name, const Catalog& catalog) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string metric = name.substr(0, dot);
  const auto desc = catalog.describe(metric);
  if (!desc || desc->indom == kNullId) return {};
  const InDomId domains[] = {desc->indom};
  const InstanceMatch match =
      match_instance(catalog, domains, std::string_view(name).substr(dot + 1));
  if (match.how != InstanceMatch::How::found) return {};
  return fmt::format("write {}[{}]: {} is an instance", metric, match.name, match.name);
}

}  // namespace pmjit
