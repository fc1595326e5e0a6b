#include "tests/unit/wire/wire_files.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "runtime/base/result.h"

namespace pmjit::wire {

namespace {

std::vector<RecordedPdu> read_all() {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(PMJIT_GOLDEN "/wire")) {
    if (entry.path().extension() == ".hex") files.insert(entry.path());
  }
  std::vector<RecordedPdu> out;
  for (const auto& file : files) {
    std::ifstream in(file);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      const size_t blank = line.find(' ');
      if (line.starts_with('#') || blank == std::string::npos || line.ends_with("EOF")) continue;
      const std::string_view hex = std::string_view(line).substr(blank + 1);
      // HOST PORT, and the two greetings.
      if (!hex.starts_with("00")) continue;
      Route route = Route::client_to_collector;
      if (line[0] == 'S') route = Route::collector_to_client;
      if (line[0] == 'M') route = Route::collector_to_agent;
      if (line[0] == 'A') route = Route::agent_to_collector;
      out.push_back({.place = fmt::format("{}:{}", file.filename().string(), number),
                     .channel = {.route = route},
                     .bytes = bytes_of_hex(hex)});
    }
  }
  return out;
}

}  // namespace

std::vector<std::byte> bytes_of_hex(std::string_view hex) {
  std::vector<std::byte> out;
  std::string digits;
  for (const char c : hex) {
    if (c != ' ') digits += c;
    if (digits.size() < 2) continue;
    out.push_back(static_cast<std::byte>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  check(digits.empty(), "hex: half a byte");
  return out;
}

const std::vector<RecordedPdu>& recorded_pdus() {
  static const std::vector<RecordedPdu> all = read_all();
  return all;
}

}  // namespace pmjit::wire
