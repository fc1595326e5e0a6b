#include "tests/lib/run_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/base/sanitized.h"
#include "tests/unit/wire/round_trip.h"

namespace pmjit::cases {
namespace {

constexpr size_t kBytesMax = 64u << 10;

struct Sender {
  std::string_view name;
  wire::Route route;
};
constexpr Sender kSenders[] = {{"client", wire::Route::client_to_collector},
                               {"collector", wire::Route::collector_to_client},
                               {"agent", wire::Route::agent_to_collector},
                               {"collector-to-agent", wire::Route::collector_to_agent},
                               {"logger", wire::Route::logger_control}};

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  return std::nullopt;
}

// False: neither hexadecimal nor a text.
bool add_word(const std::string& word, std::vector<std::byte>& out) {
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"') {
    for (const char c : word.substr(1, word.size() - 2)) out.push_back(static_cast<std::byte>(c));
    return true;
  }
  if (word.size() % 2 != 0) return false;
  for (size_t i = 0; i < word.size(); i += 2) {
    const auto high = digit(word[i]), low = digit(word[i + 1]);
    if (!high || !low) return false;
    out.push_back(static_cast<std::byte>(*high << 4 | *low));
  }
  return true;
}

std::vector<std::byte> read_bytes(const CaseFile& file, Outcome& outcome) {
  std::vector<std::byte> out;
  const Section* section = file.find("bytes");
  if (section == nullptr) {
    outcome.faults.emplace_back("there is no section `bytes`");
    return out;
  }
  for (const CaseLine& line : plain_lines(*section)) {
    for (const std::string& word : split_words(line.text)) {
      if (add_word(word, out)) continue;
      outcome.faults.push_back(
          fmt::format("line {}: {} is neither hexadecimal nor \"text\"", line.number, word));
    }
  }
  if (out.size() > kBytesMax) outcome.faults.emplace_back("the PDU is too long for a case");
  return out;
}

// Where encode() gives something else, padding apart; empty: nowhere.
std::string difference(Bytes given, Bytes encoded) {
  if (given.size() != encoded.size()) {
    return fmt::format("it encodes to {} bytes, not {}", encoded.size(), given.size());
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] == encoded[i] || encoded[i] == std::byte{wire::kPaddingByte}) continue;
    return fmt::format("offset {} encodes to {:02x}, not {:02x}", i, encoded[i], given[i]);
  }
  return {};
}

void set_length(std::span<std::byte> bytes) {
  for (size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::byte>(bytes.size() >> (24 - 8 * i));
}

// The same with the length that it has: what its header says does not give it away.
void try_prefixes(Bytes pdu, const wire::Channel& channel, Outcome& outcome) {
  wire::GuardedBytes guarded(kBytesMax);
  for (size_t length = 0; length < pdu.size(); ++length) {
    const auto bytes = guarded.put(pdu.first(length));
    if (wire::round_trip(bytes, channel).decoded) {
      outcome.faults.push_back(fmt::format("the first {} bytes are taken for a whole PDU", length));
    }
    if (length < 4) continue;
    set_length(bytes);
    (void)wire::round_trip(bytes, channel);
  }
}

void try_changes(Bytes pdu, const wire::Channel& channel) {
  wire::GuardedBytes guarded(kBytesMax);
  const auto bytes = guarded.put(pdu);
  for (std::byte& byte : bytes) {
    const std::byte before = byte;
    for (unsigned by = 1; by < 256; by += kSanitized ? 5 : 1) {
      byte = before ^ static_cast<std::byte>(by);
      (void)wire::round_trip(bytes, channel);
    }
    byte = before;
  }
}

}  // namespace

Outcome run_wire(const CaseFile& file) {
  Outcome outcome;
  const std::vector<std::byte> bytes = read_bytes(file, outcome);
  const auto* const sender = std::ranges::find(kSenders, file.tag("from", ""), &Sender::name);
  if (sender == std::end(kSenders)) {
    outcome.faults.emplace_back("`#: from:` has to say who sends it: client, collector, …");
  }
  if (!outcome.faults.empty()) return outcome;
  const wire::Channel channel{.route = sender->route};
  const wire::RoundTrip seen = wire::round_trip(bytes, channel);
  outcome.errors = !seen.decoded;
  outcome.texts["message"] = seen.text + (seen.text.ends_with('\n') ? "" : "\n");
  outcome.dump = outcome.texts["message"];
  if (seen.decoded) {
    const std::string other = difference(bytes, seen.encoded);
    if (!other.empty()) outcome.faults.push_back(other);
    try_prefixes(bytes, channel, outcome);
  }
  try_changes(bytes, channel);
  return outcome;
}

}  // namespace pmjit::cases
