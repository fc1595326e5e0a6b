#include "compiler/driver/all_or_nothing_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace pmjit {

WholeFiles::WholeFiles(ParsedTexts& texts, Sema& sema) : texts_(texts), sema_(sema) {
  for (uint32_t i = 0; i < texts.strict_definitions; ++i) {
    definitions_[sema.exprs()[i].source].push_back(i);
  }
}

bool WholeFiles::runs(uint32_t index, const Sink& say) {
  const File file = sema_.exprs()[index].source;
  const auto [verdict, is_new] = runs_.try_emplace(file, false);
  if (!is_new) return verdict->second;
  const std::vector<File> files = check_from(file);
  tell(say);
  const auto wrong = std::ranges::find_if(files, [&](File one) { return wrong_.contains(one); });
  verdict->second = wrong == files.end();
  if (verdict->second) return true;
  const std::string why = *wrong == file ? "" : fmt::format(", for it uses {}", (*wrong)->name);
  say(fmt::format("[{}] Error: none of its metrics can be evaluated here{}\n", file->name, why));
  return false;
}

std::vector<WholeFiles::File> WholeFiles::check_from(File file) {
  std::vector<File> out{file};
  std::set<File> seen{file};
  for (size_t i = 0; i < out.size(); ++i) {
    const std::vector<uint32_t>& own = definitions_.at(out[i]);
    sema_.check(own);
    for (const uint32_t index : own) {
      for (const uint32_t used : sema_.uses(index)) {
        const File other = sema_.exprs()[used].source;
        if (seen.insert(other).second) out.push_back(other);
      }
    }
  }
  return out;
}

void WholeFiles::tell(const Sink& say) {
  for (Compilation::Report& report : texts_.reports) {
    if (report.diags.empty()) continue;
    say(render_all(report.diags, report.source));
    if (report.diags.has_errors()) wrong_.insert(&report.source);
    report.diags = {};
  }
}

}  // namespace pmjit
