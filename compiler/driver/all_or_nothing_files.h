// Strict files in a context: each runs whole or not at all (spec dialects.md P9). Private to
// compiler/driver.
//
//   WholeFiles files(parsed, sema);
//   if (!files.runs(*sema.definition("disk.util"), say)) return nullptr;
//
// A file is checked when something of it is first wanted, for files may be there that are meant for
// other hosts.
#pragma once

#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/driver/parsed_texts.h"

namespace pmjit {

class WholeFiles {
 public:
  using Sink = std::function<void(std::string_view)>;
  // Both outlive it. Diagnostics in the reports of `texts` move on to whoever is told.
  WholeFiles(ParsedTexts& texts, Sema& sema);

  // Nothing is wrong in the file of definition `index`, nor in those whose metrics it uses. What is
  // wrong is told, each thing once.
  bool runs(uint32_t index, const Sink& say);

 private:
  using File = const SourceText*;
  // With `file` the files whose metrics it uses, directly or not; all their definitions are
  // checked.
  std::vector<File> check_from(File file);
  void tell(const Sink& say);

  ParsedTexts& texts_;
  Sema& sema_;
  std::unordered_map<File, std::vector<uint32_t>> definitions_;
  std::unordered_map<File, bool> runs_;
  std::set<File> wrong_;  // in themselves
};

}  // namespace pmjit
