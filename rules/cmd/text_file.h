// A file that a person has written: rules, definitions, tests. What is wrong with it is said in the
// same words by every verb:
//
//   pmjit: nofile.pmie: no such file
//   pmjit: huge.pmie: is 100 MB; rule files may have 64 MB
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

// checked: rules or definitions. Of hosts there are lists, for -h @FILE.
enum class FileKind : uint8_t {
  rules,
  definitions,
  checked,
  tests,
  reports,
  hosts,
  configurations
};

[[nodiscard]] bool is_report_file(const std::string& path);
// Of a file NAME.toml in a folder: a report or a configuration of ours, or nobody can tell.
[[nodiscard]] bool may_be_own_toml(const std::string& path);
// A pipe or the like: what it holds is read once, and its name says nothing. `-` is one.
[[nodiscard]] bool is_pipe(const std::string& path);

// All of it. An empty file is read, and a note says so. Where interrupts are caught one ends the
// reading of a pipe: the text is not whole then.
[[nodiscard]] Result<std::string> read_user_file(const std::string& path, FileKind kind);
// The same of a file that somebody else reads: a pipe is left to him.
[[nodiscard]] Result<void> check_user_file(const std::string& path, FileKind kind);
// A test that is not one of rules, or does not say so.
[[nodiscard]] Error no_rule_test(const std::string& path, std::string_view text);
// Has it a byte order mark, which read_user_file() leaves out and PCP's own tools refuse?
[[nodiscard]] bool begins_with_mark(const std::string& path);
// "did you mean …?", of the names in its folder; empty: there is none like it.
[[nodiscard]] std::string near_files(const std::string& path);
// The error of the system's number `err`.
[[nodiscard]] Error file_error(const std::string& path, int err);

}  // namespace pmjit
