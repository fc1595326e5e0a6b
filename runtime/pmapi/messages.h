// Messages of the process: what pmprintf() collects until pmflush(). Source: spec pmapi.md §21.1.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

void add_message(std::string_view text);

// What messages and usage texts call the program.
[[nodiscard]] std::string program_name();
// For this process and its children.
void set_variable(const char* name, const char* value);

}  // namespace pmjit
