// "Did you mean …": the names nearest to one that was not found, for functions, tags, metrics,
// instances.
//
//   near_names("averge", {"avg", "average", "count"})   → {"average"}
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

// Of so many mistakes in a text near names are looked for: each search looks at all names there
// are, and texts may have thousands of both.
inline constexpr size_t kNearAskedMax = 100;

// Edits (insert, delete, replace, swap of neighbours) between two names; letter case counts as no
// edit.
size_t edit_distance(std::string_view a, std::string_view b);

// At most limits::kNearNamesMax candidates within a third of the name's length, nearest first;
// candidates that the name begins with, that begin with it or that abbreviate it included.
std::vector<std::string> near_names(std::string_view name,
                                    const std::vector<std::string>& candidates);

// Keeps those that `name` may be a slip for: a few letters differ. Of a name that is no slip, only
// of another thing, none is left.
void keep_slips(std::string_view name, std::vector<std::string>& near);

// near_names() of a path: `names` are what its folder has, and the answer has the folder in front.
std::vector<std::string> near_paths(std::string_view path, const std::vector<std::string>& names);

// Whether libpcp takes the query for an instance whose name has a blank: by what stands before it.
// It compares no more than that much of the query, so a longer one matches too.
bool matches_first_word(std::string_view stored, std::string_view query);

// "a, b, c, …": the first of them.
std::string first_names_text(std::span<const std::string> names);
// "a, b, c and 9 more", in a sentence.
std::string first_few_text(std::span<const std::string> names);

// "did you mean a, b or c?", or nothing.
std::string near_names_text(const std::vector<std::string>& names);

}  // namespace pmjit
