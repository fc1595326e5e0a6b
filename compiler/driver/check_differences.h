// What `check` says of texts in the compatible dialects: where strict would read them otherwise, at
// the places of their files. Private to compiler/driver.
#pragma once

#include <deque>

#include "compiler/driver/parsed_texts.h"

namespace pmjit {

// Without a catalog what the texts alone show.
std::deque<Compilation::Report> find_differences(const ParsedTexts& texts, const Catalog* catalog);

}  // namespace pmjit
