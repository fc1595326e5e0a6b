#include "tests/sim/faults.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace pmjit::test {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr Unit kTimes[] = {{"ms", 1e6}, {"s", 1e9}, {"min", 60e9}};
constexpr Unit kSizes[] = {{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
// A length is a signed word.
constexpr double kBytesMax = INT32_MAX;

// A number with one of these units behind it; none: it is not.
std::optional<double> quantity(std::string_view word, std::span<const Unit> units) {
  double number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  if (read.ec != std::errc() || number < 0 || number > 1e7) return {};
  const std::string_view name = word.substr(static_cast<size_t>(read.ptr - word.data()));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (unit == units.end()) return {};
  return number * unit->factor;
}

std::optional<SimTime> time_of(std::string_view word) {
  const auto out = quantity(word, kTimes);
  if (!out) return {};
  return SimTime(static_cast<int64_t>(*out));
}

std::optional<uint32_t> whole_of(std::string_view word) {
  uint32_t out = 0;
  const char* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, out);
  if (read.ec != std::errc() || read.ptr != end) return {};
  return out;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  line = line.substr(0, line.find('#'));
  while (true) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return out;
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    out.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

// The words of a line, one after the other; what is missing or wrong spoils it.
class FaultReader {
 public:
  explicit FaultReader(std::vector<std::string_view> words) : words_(std::move(words)) {}

  [[nodiscard]] bool done() const { return at_ == words_.size(); }
  [[nodiscard]] const std::string& wrong() const { return wrong_; }
  std::string_view next() { return done() ? std::string_view() : words_[at_++]; }
  bool skip(std::string_view word) {
    const bool found = !done() && words_[at_] == word;
    at_ += found ? 1 : 0;
    return found;
  }
  void spoil(std::string_view word, std::string_view expected) {
    if (wrong_.empty()) {
      wrong_ = fmt::format("\"{}\" where {} is expected", word, expected);
    }
  }
  template <class T>
  T need(std::string_view word, std::optional<T> value, std::string_view expected) {
    if (!value) spoil(word, expected);
    return value.value_or(T{});
  }
  SimTime time(std::string_view word) {
    return need(word, time_of(word), "a time such as 800ms, 3s, 1min");
  }
  // One that is repeated: not 0.
  SimTime period(std::string_view word) {
    const SimTime out = time(word);
    if (out <= SimTime{}) spoil(word, "a time above 0");
    return out;
  }

 private:
  std::vector<std::string_view> words_;
  size_t at_ = 0;
  std::string wrong_;
};

void read_hosts(FaultReader& in, SimFault& fault) {
  constexpr std::string_view kHosts = "a host, such as 7, 10-19 or all,";
  const std::string_view word = in.next();
  if (word == "all") return;
  const size_t dash = word.find('-');
  fault.first_host = in.need(word, whole_of(word.substr(0, dash)), kHosts);
  fault.last_host = fault.first_host;
  if (dash != std::string_view::npos) {
    fault.last_host = in.need(word, whole_of(word.substr(dash + 1)), kHosts);
  }
  if (fault.last_host < fault.first_host) in.spoil(word, kHosts);
}

void read_kind(FaultReader& in, SimFault& fault) {
  constexpr std::pair<std::string_view, FaultKind> kKinds[] = {
      {"dead", FaultKind::dead},   {"hang", FaultKind::hang},      {"slow", FaultKind::slow},
      {"lie", FaultKind::lie},     {"flap", FaultKind::flap},      {"restart", FaultKind::restart},
      {"churn", FaultKind::churn}, {"garbage", FaultKind::garbage}};
  const std::string_view word = in.next();
  const auto* const found =
      std::ranges::find(kKinds, word, &std::pair<std::string_view, FaultKind>::first);
  if (found == std::end(kKinds)) {
    return in.spoil(word, "dead, hang, slow, lie, flap, restart, churn or garbage");
  }
  fault.kind = found->second;
  if (fault.kind == FaultKind::slow) fault.time = in.period(in.next());
  if (fault.kind == FaultKind::lie) {
    const std::string_view size = in.next();
    fault.number = static_cast<uint32_t>(
        std::min(in.need(size, quantity(size, kSizes), "a size such as 2GiB"), kBytesMax));
  }
  if (fault.kind == FaultKind::flap) {
    const std::string_view both = in.next();
    const size_t slash = std::min(both.find('/'), both.size());
    fault.time = in.period(both.substr(0, slash));
    fault.dead_time = in.period(both.substr(std::min(slash + 1, both.size())));
  }
  if (fault.kind == FaultKind::restart) {
    if (!in.skip("every")) in.spoil(in.next(), "every");
    fault.time = in.period(in.next());
  }
  if (fault.kind == FaultKind::churn) {
    const std::string_view count = in.next();
    fault.number = in.need(count, whole_of(count), "a number of instances");
    if (fault.number > 10'000) in.spoil(count, "a number up to 10000");
  }
}

}  // namespace

bool SimFault::closes_port(SimTime now) const {
  if (!in_force(now)) return false;
  if (kind == FaultKind::dead) return true;
  return kind == FaultKind::flap && (now - from) % (time + dead_time) >= time;
}

int64_t SimFault::restarts(SimTime now) const {
  if (kind != FaultKind::restart || now < from) return 0;
  return (std::min(now, to) - from) / time;
}

int64_t SimFault::replaced(SimTime now) const {
  if (kind != FaultKind::churn || now < from) return 0;
  return (std::min(now, to) - from) / std::chrono::seconds(1) * number;
}

std::optional<SimTime> SimFault::next_change(SimTime now) const {
  if (now < from) return from;
  if (now >= to) return {};
  std::optional<SimTime> out;
  if (to != SimTime::max()) out = to;
  if (kind != FaultKind::flap && kind != FaultKind::restart) return out;
  const SimTime within = (now - from) % (time + dead_time);
  const SimTime change = now - within + (within < time ? time : time + dead_time);
  return out ? std::min(*out, change) : change;
}

Result<std::optional<SimFault>> parse_fault(std::string_view line) {
  FaultReader in(words_of(line));
  if (in.done()) return std::nullopt;
  SimFault out;
  read_hosts(in, out);
  read_kind(in, out);
  if (in.skip("from")) out.from = in.time(in.next());
  if (in.skip("to")) {
    out.to = in.time(in.next());
    if (out.to <= out.from) in.spoil("to", "a time behind that of from");
  }
  if (!in.done()) in.spoil(in.next(), "from TIME, to TIME or the end of the line");
  if (!in.wrong().empty()) {
    return fail(Error(Fault::usage, fmt::format("fault {}: {}", line, in.wrong()))
                    .help("HOSTS FAULT [from TIME] [to TIME], see tests/sim/README.md"));
  }
  return out;
}

}  // namespace pmjit::test
