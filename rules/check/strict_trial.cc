#include "rules/check/meanings.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace pmjit {

namespace {

constexpr double kTexts = 2;  // that are tried of each rule

std::string line_of(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

class Trials {
 public:
  Trials(std::span<StrictTrial> trials, const Feeds& feeds, const strict::TaskOptions& options,
         const pmie::Settings& settings, const std::function<void(double)>& progress)
      : trials_(trials),
        feeds_(feeds),
        options_(options),
        settings_(settings),
        progress_(progress) {}

  strict::RuleSet run() {
    std::vector<size_t> open(trials_.size()), taken;
    for (size_t i = 0; i < open.size(); ++i) open[i] = i;
    for (const size_t text : {size_t{0}, size_t{1}}) {
      for (const size_t i : open) {
        trials_[i].taken = text;
        trials_[i].refused.clear();
      }
      const double texts_done = static_cast<double>(text);
      std::erase_if(open, [&](size_t i) {
        const double read = static_cast<double>(i) / static_cast<double>(trials_.size());
        progress_((texts_done + read) / kTexts);
        return !is_read(i);
      });
      bind(open);
      open.clear();
      for (size_t i = 0; i < trials_.size(); ++i) {
        if (!trials_[i].refused.empty()) open.push_back(i);
      }
    }
    for (size_t i = 0; i < trials_.size(); ++i) {
      if (trials_[i].refused.empty()) taken.push_back(i);
    }
    return set_of(taken);
  }

 private:
  // Its name says which it is.
  [[nodiscard]] SourceText source(size_t i) const {
    return {.name = std::to_string(i), .text = trials_[i].texts[trials_[i].taken]};
  }

  bool is_read(size_t i) {
    strict::RuleSet set;
    const auto added = strict::add_rules(set, source(i), reading(i));
    trials_[i].refused = line_of(added ? set.errors : added.error().what());
    if (!trials_[i].unread.empty()) trials_[i].refused = line_of(trials_[i].unread);
    return trials_[i].refused.empty();
  }

  [[nodiscard]] strict::ReadOptions reading(size_t i) const {
    return {.delta = trials_[i].delta, .settings = settings_, .given = &trials_[i].macros};
  }

  [[nodiscard]] strict::RuleSet set_of(const std::vector<size_t>& of) const {
    strict::RuleSet out;
    for (const size_t i : of) (void)strict::add_rules(out, source(i), reading(i));
    return out;
  }

  // What is wrong with some is said of them, and the others are tried again.
  void bind(std::vector<size_t> some) {
    while (!some.empty()) {
      std::vector<Compilation::Report> wrong;
      strict::TaskOptions options = options_;
      options.wrong = &wrong;
      const strict::RuleSet set = set_of(some);
      const auto opened = strict::StrictReplay::open(set, feeds_, options, {});
      if (opened) return;
      for (const Compilation::Report& report : wrong) {
        if (!report.diags.has_errors()) continue;
        trials_[std::stoul(report.source.name)].refused =
            line_of(render_all(report.diags, report.source));
      }
      const size_t refused =
          std::erase_if(some, [&](size_t i) { return !trials_[i].refused.empty(); });
      if (refused > 0) continue;
      // Nobody says which. It is of all of them, then.
      for (const size_t i : some) trials_[i].refused = line_of(opened.error().what());
      return;
    }
  }

  std::span<StrictTrial> trials_;
  const Feeds& feeds_;
  const strict::TaskOptions& options_;
  const pmie::Settings& settings_;
  const std::function<void(double)>& progress_;
};

}  // namespace

strict::RuleSet take_in_strict(std::span<StrictTrial> trials, const Feeds& feeds,
                               const strict::TaskOptions& options, const pmie::Settings& settings,
                               const std::function<void(double)>& progress) {
  return Trials(trials, feeds, options, settings, progress).run();
}

}  // namespace pmjit
