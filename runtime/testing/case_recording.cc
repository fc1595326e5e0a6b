#include "runtime/testing/case_recording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "runtime/base/near.h"
#include "runtime/model/results.h"
#include "runtime/model/units.h"
#include "runtime/text/parse_units.h"

namespace pmjit::cases {
namespace {

constexpr uint32_t kAgentDomain = 250;  // of every PMID and instance domain of a case
constexpr uint32_t kAgentShift = 22;

std::unexpected<Error> at_line(Error error, uint32_t line) {
  return fail(std::move(error).at("line", fmt::format("{}", line)));
}
std::unexpected<Error> wrong(uint32_t line, std::string what) {
  return at_line(Error(Fault::format, std::move(what)), line);
}

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

std::optional<Semantics> semantics_from_text(std::string_view text) {
  for (Semantics s : {Semantics::counter, Semantics::instant, Semantics::discrete}) {
    if (semantics_text(s) == text) return s;
  }
  return std::nullopt;
}

// disk[sda sdb:7]: the first mention lists the instances; later ones may write `disk` alone.
Result<InDomId> read_domain(CaseRecording& recording, std::string_view text) {
  const size_t open = text.find('[');
  const std::string name(text.substr(0, open));
  for (const CaseDomain& known : recording.domains) {
    if (known.name == name) return known.id;
  }
  if (open == std::string_view::npos || !text.ends_with(']')) {
    return fail(Fault::format, fmt::format("domain `{}` has no list of instances", name));
  }
  CaseDomain domain{.name = name};
  domain.id = (kAgentDomain << kAgentShift) | static_cast<uint32_t>(recording.domains.size() + 1);
  int64_t next_id = 0;  // may be beyond the last there is
  std::string list(text.substr(open + 1, text.size() - open - 2));
  for (std::string& word : split_words(list)) {
    if (!word.starts_with('"') && word.contains(',')) {
      std::ranges::replace(list, ',', ' ');
      return fail(
          Error(Fault::format, "instances are separated by blanks, not commas")
              .help(fmt::format("write indom={}[{}]", name, fmt::join(split_words(list), " "))));
    }
    const size_t colon = word.rfind(':');
    const size_t digits = colon == std::string::npos ? colon : colon + 1;
    int32_t id = 0;
    if (digits != std::string::npos &&
        std::from_chars(word.data() + digits, word.data() + word.size(), id).ec == std::errc{}) {
      word.resize(colon);
      next_id = id;
    }
    const Instance instance{static_cast<int32_t>(next_id++), unquoted(word)};
    const bool taken = std::ranges::any_of(domain.instances, [&](const Instance& other) {
      return other.id == instance.id || other.name == instance.name;
    });
    if (taken) {
      return fail(Fault::format, fmt::format("`{}` has two instances {} or two of identifier {}",
                                             name, instance.name, instance.id));
    }
    domain.instances.push_back(instance);
  }
  recording.domains.push_back(domain);
  return domain.id;
}

// What other programs call these types and semantics.
struct OtherProgramsWord {
  std::string_view word, ours;
};
constexpr OtherProgramsWord kOtherProgramsWords[] = {
    {"gauge", "instant"}, {"rate", "instant"}, {"cumulative", "counter"}, {"constant", "discrete"},
    {"int", "i32"},       {"int32", "i32"},    {"int64", "i64"},          {"uint32", "u32"},
    {"uint64", "u64"},    {"float", "f32"},    {"float32", "f32"},        {"double", "f64"},
    {"float64", "f64"},   {"string", "text"}};

constexpr std::string_view kTypes[] = {"i32", "u32", "i64", "u64", "f32", "f64", "text"};
constexpr std::string_view kSemantics[] = {"counter", "instant", "discrete"};

std::string no_such(std::string_view what, const std::string& word,
                    std::span<const std::string_view> known) {
  const auto other = std::ranges::find(kOtherProgramsWords, word, &OtherProgramsWord::word);
  if (other != std::end(kOtherProgramsWords) &&
      std::ranges::find(known, other->ours) != known.end()) {
    return fmt::format("no such {}: {}; did you mean {}?", what, word, other->ours);
  }
  std::vector<std::string> near =
      near_names(word, std::vector<std::string>(known.begin(), known.end()));
  keep_slips(word, near);
  const std::string meant = near_names_text(near);
  return meant.empty() ? fmt::format("no such {}: {}; {}", what, word, fmt::join(known, " "))
                       : fmt::format("no such {}: {}; {}", what, word, meant);
}

std::unexpected<Error> wrong_units(const std::string& units) {
  std::string separate = units;
  std::ranges::replace(separate, '/', ' ');
  for (const std::string& word : split_words(separate)) {
    if (parse_units(word, ExtraUnits::known)) continue;
    const std::string near = near_unit_text(word);
    return fail(
        Fault::format,
        fmt::format("no such unit: {}; {}", word,
                    near.empty() ? "for instance: none, count, Kbyte, millisec, count/sec" : near));
  }
  return fail(Error(Fault::format, fmt::format("no such units: {}", units))
                  .help("each of bytes, time and count stands once, as in Kbyte/sec"));
}

// NAME TYPE SEMANTICS UNITS… [indom=…]
Result<void> read_metric(CaseRecording& recording, const CaseLine& line) {
  std::vector<std::string> words = split_words(line.text);
  if (words.size() < 3) return wrong(line.number, "a metric is: name type semantics [units]");
  if (words[0].ends_with(':')) {
    words[0].pop_back();
    return at_line(Error(Fault::format, fmt::format("no : stands behind the name {}", words[0]))
                       .help(fmt::format("write {}", fmt::join(words, " "))),
                   line.number);
  }
  Metric metric{.name = words[0]};
  if (recording.metric(metric.name) != nullptr) {
    return wrong(line.number, "there are two metrics " + metric.name);
  }
  const auto elem = elem_from_text(words[1]);
  const auto semantics = semantics_from_text(words[2]);
  if (!elem || *elem == Elem::truth) {
    return wrong(line.number, no_such("type", words[1], kTypes));
  }
  if (!semantics) {
    return wrong(line.number, no_such("semantics", words[2], kSemantics));
  }
  metric.elem = *elem;
  metric.desc.semantics = *semantics;
  for (int type = 0; type < 8; ++type) {
    if (elem_from_pm(type) == elem) metric.desc.pm_type = type;
  }
  std::string units;
  for (size_t i = 3; i < words.size(); ++i) {
    constexpr std::string_view kDomain = "indom=";
    if (words[i].starts_with(kDomain)) {
      auto domain = read_domain(recording, std::string_view(words[i]).substr(kDomain.size()));
      if (!domain) return at_line(domain.error(), line.number);
      metric.desc.indom = *domain;
    } else if (const size_t equals = words[i].find('='); equals != std::string::npos) {
      return wrong(line.number,
                   fmt::format("no such key: {}; did you mean {}{}?", words[i].substr(0, equals),
                               kDomain, words[i].substr(equals + 1)));
    } else {
      units += (units.empty() ? "" : " ") + words[i];
    }
  }
  if (!units.empty() && units != "none") {
    auto parsed = parse_units(units, ExtraUnits::known);
    if (!parsed) return at_line(wrong_units(units).error(), line.number);
    if (parsed->multiplier != 1) return wrong(line.number, "units with a multiplier: " + units);
    metric.desc.units = parsed->units;
  }
  metric.desc.pmid =
      (kAgentDomain << kAgentShift) | static_cast<uint32_t>(recording.metrics.size() + 1);
  recording.metrics.push_back(std::move(metric));
  return {};
}

// One line of samples: which values, and when each was recorded.
struct SeriesLine {
  uint32_t number = 0;
  size_t metric = 0;
  int32_t instance = kSingular;
  std::vector<std::string> tokens;
  std::vector<Nanos> times;
};

struct Rhythm {
  Nanos every = 0, from = 0;
  std::vector<Nanos> at;
};

Result<Rhythm> read_rhythm(std::span<const std::string> words, Rhythm rhythm) {
  std::string_view mode;
  for (const std::string& word : words) {
    if (word == "every" || word == "from" || word == "at") {
      mode = word;
      continue;
    }
    if (mode.empty()) {
      return fail(Error(Fault::format, fmt::format("`{}`: every, from or at?", word))
                      .help("for instance: --- samples every 10s"));
    }
    auto duration = parse_duration(word);
    if (!duration) return fail(duration.error());
    if (mode == "every")
      rhythm.every = *duration;
    else if (mode == "from")
      rhythm.from = *duration;
    else
      rhythm.at.push_back(*duration);
  }
  return rhythm;
}

std::string instances_help(std::string_view metric, const CaseDomain& domain) {
  constexpr size_t kShownMax = 5;
  std::vector<std::string> all;
  for (size_t i = 0; i < std::min(kShownMax, domain.instances.size()); ++i) {
    all.push_back(fmt::format("{}[{}]", metric, domain.instances[i].name));
  }
  if (all.empty()) return fmt::format("its list of instances is empty: indom={}[…]", domain.name);
  return fmt::format("write {}", fmt::join(all, ", "));
}

std::string near_instance(const std::string& wanted, std::string_view metric,
                          const CaseDomain& domain) {
  std::vector<std::string> names;
  for (const Instance& instance : domain.instances) names.push_back(instance.name);
  const std::string near = near_names_text(near_names(wanted, names));
  return near.empty() ? instances_help(metric, domain) : near;
}

// "disk.read[sda]" → metric and instance.
Result<SeriesLine> read_series_name(const CaseRecording& recording, std::string_view text) {
  SeriesLine line;
  const size_t open = text.find('[');
  const std::string_view name = text.substr(0, open);
  const Metric* metric = recording.metric(name);
  if (metric == nullptr) {
    std::vector<std::string> names;
    for (const Metric& one : recording.metrics) names.emplace_back(one.name);
    const std::string near =
        name.size() > 1 ? near_names_text(near_names(name, names)) : std::string();
    constexpr size_t kNamesMax = 5;
    const bool few = near.empty() && names.size() <= kNamesMax;
    return fail(Fault::format,
                fmt::format("no metric `{}` here{}{}", name, near.empty() ? "" : "; ",
                            few ? fmt::format("; there are: {}", fmt::join(names, ", ")) : near));
  }
  line.metric = static_cast<size_t>(metric - recording.metrics.data());
  const CaseDomain* domain = recording.domain(metric->desc.indom);
  if (open != std::string_view::npos && domain == nullptr) {
    return fail(Error(Fault::format, fmt::format("{} has no instances", name))
                    .help(fmt::format("write {}, or give the metric a list: indom=NAME[{}]", name,
                                      text.substr(open + 1, text.size() - open - 2))));
  }
  if (domain == nullptr) return line;
  if (open == std::string_view::npos) {
    return fail(Error(Fault::format, fmt::format("{} has an instance for each value", name))
                    .help(instances_help(name, *domain)));
  }
  const std::string wanted = unquoted(text.substr(open + 1, text.size() - open - 2));
  for (const Instance& instance : domain->instances) {
    if (instance.name == wanted) {
      line.instance = instance.id;
      return line;
    }
  }
  const char* end = wanted.data() + wanted.size();
  if (wanted.starts_with('#') &&
      std::from_chars(wanted.data() + 1, end, line.instance).ec == std::errc{}) {
    return line;
  }
  return fail(Error(Fault::format, fmt::format("no instance `{}` in {}", wanted, domain->name))
                  .help(near_instance(wanted, name, *domain)));
}

// NAME[INSTANCE] [every D | from D | at D… :] SERIES
Result<SeriesLine> read_series_line(const CaseRecording& recording, const CaseLine& source,
                                    std::vector<std::string> words, const Rhythm& standard) {
  auto line = read_series_name(recording, words[0]);
  if (!line) return at_line(line.error(), source.number);
  line->number = source.number;
  size_t next = 1;
  Rhythm rhythm = standard;
  for (size_t i = next; i < words.size(); ++i) {
    if (!words[i].ends_with(':') || words[i].starts_with('"')) continue;
    words[i].pop_back();
    auto own = read_rhythm(std::span(words).subspan(next, i + 1 - next), standard);
    if (!own) return at_line(own.error(), source.number);
    rhythm = *std::move(own);
    next = i + 1;
    break;
  }
  auto tokens = expand_series({words.begin() + static_cast<ptrdiff_t>(next), words.end()});
  if (!tokens) return at_line(tokens.error(), source.number);
  line->tokens = *std::move(tokens);
  if (line->tokens.size() > 1 && rhythm.at.empty() && rhythm.every <= 0) {
    return wrong(source.number, "several values, and nothing says when: `--- samples every 10s`");
  }
  for (size_t i = 0; i < line->tokens.size(); ++i) {
    if (rhythm.at.empty()) {
      line->times.push_back(rhythm.from + rhythm.every * static_cast<int64_t>(i));
    } else if (i < rhythm.at.size()) {
      line->times.push_back(rhythm.at[i]);
    } else {
      return wrong(source.number, "more values than times");
    }
  }
  return line;
}

// rename DOMAIN[INSTANCE] NAME at TIME…
Result<void> read_rename(CaseRecording& recording, const CaseLine& line) {
  const std::vector<std::string> words = split_words(line.text);
  if (words.size() < 5) return wrong(line.number, "a rename is: rename DOMAIN[NAME] NAME at TIME");
  const std::string_view what = words[1];
  const size_t open = what.find('[');
  const auto domain = std::ranges::find(recording.domains, what.substr(0, open), &CaseDomain::name);
  if (domain == recording.domains.end() || open == std::string_view::npos) {
    return wrong(line.number, fmt::format("no domain for `{}`", what));
  }
  const std::string name = unquoted(what.substr(open + 1, what.size() - open - 2));
  const auto instance = std::ranges::find(domain->instances, name, &Instance::name);
  if (instance == domain->instances.end()) {
    return wrong(line.number, fmt::format("no instance `{}` in {}", name, domain->name));
  }
  auto times = read_rhythm(std::span(words).subspan(3), {});
  if (!times) return at_line(times.error(), line.number);
  for (Nanos time : times->at) {
    const Stamp when = stamp_from_nanos(nanos(kEpoch) + time);
    domain->renames.push_back({when, {instance->id, unquoted(words[2])}});
  }
  std::ranges::stable_sort(domain->renames, {}, &Rename::when);
  return {};
}

// Collects the values of one stamp before they are put in the order of the domains.
struct OpenSet {
  bool carried = false;
  int32_t failed = 0;                        // the status instead of values
  std::multimap<int32_t, CaseValue> values;  // by instance
};
using OpenRecord = std::map<size_t, OpenSet>;  // by metric

Result<void> put(const CaseRecording& recording, const SeriesLine& line, size_t i,
                 OpenRecord& record) {
  const std::string& token = line.tokens[i];
  if (token == "_") return {};
  OpenSet& set = record[line.metric];
  set.carried = true;
  if (token == "-") return {};
  if (token == "!" || token == "!!") {
    set.failed = token == "!" ? kErrorCode : kHostDown;
    return {};
  }
  CaseValue value{.instance = line.instance, .line = line.number};
  const Elem elem = recording.metrics[line.metric].elem;
  if (elem == Elem::text) {
    value.text = unquoted(token);
  } else {
    auto bits = parse_value(token, elem);
    if (!bits) return fail(bits.error());
    value.bits = *bits;
  }
  set.values.emplace(line.instance, std::move(value));
  return {};
}

CaseValueSet close_set(const CaseRecording& recording, size_t metric, const OpenSet& open) {
  CaseValueSet set{.metric = metric, .status = open.failed};
  if (open.failed != 0) return set;
  const CaseDomain* domain = recording.domain(recording.metrics[metric].desc.indom);
  if (domain == nullptr) {
    for (const auto& [instance, value] : open.values) set.values.push_back(value);
    return set;
  }
  std::multimap<int32_t, CaseValue> others = open.values;
  for (const Instance& instance : domain->instances) {
    const auto [first, last] = others.equal_range(instance.id);
    for (auto value = first; value != last; ++value) set.values.push_back(value->second);
    others.erase(first, last);
  }
  for (const auto& [instance, value] : others) set.values.push_back(value);  // without a name
  return set;
}

// The lines of one host while they are read.
struct OpenRecording {
  std::string host{kUnnamedHost};
  std::vector<Nanos> marks{};
  std::map<Nanos, OpenRecord> records{};
};

// Those of a host; in the order in which hosts are named first.
OpenRecording& of_host(std::vector<OpenRecording>& all, const std::string& host) {
  const auto found = std::ranges::find(all, host, &OpenRecording::host);
  return found != all.end() ? *found : all.emplace_back(host);
}

bool names_metric(const CaseRecording& recording, std::string_view word) {
  return recording.metric(word.substr(0, word.find('['))) != nullptr;
}

// Takes the name of the host that a line may begin with; empty: there is none.
std::string take_host(const CaseRecording& recording, std::vector<std::string>& words) {
  if (words.size() < 2 || names_metric(recording, words[0])) return {};
  if (words[1] != "mark" && !names_metric(recording, words[1])) return {};
  std::string host = unquoted(words[0]);
  words.erase(words.begin());
  return host;
}

Result<void> read_sample_line(const CaseRecording& recording, const CaseLine& line,
                              const Rhythm& standard, std::vector<Nanos>& marks,
                              std::vector<OpenRecording>& hosts) {
  std::vector<std::string> words = split_words(line.text);
  const std::string host = take_host(recording, words);
  if (words[0] == "mark") {
    auto times = read_rhythm(std::span(words).subspan(1), {});
    if (!times) return at_line(times.error(), line.number);
    std::vector<Nanos>& to = host.empty() ? marks : of_host(hosts, host).marks;
    to.insert(to.end(), times->at.begin(), times->at.end());
    return {};
  }
  auto series = read_series_line(recording, line, std::move(words), standard);
  if (!series) return fail(series.error());
  OpenRecording& open = of_host(hosts, host.empty() ? std::string(kUnnamedHost) : host);
  for (size_t i = 0; i < series->tokens.size(); ++i) {
    auto done = put(recording, *series, i, open.records[series->times[i]]);
    if (!done) return at_line(done.error(), line.number);
  }
  return {};
}

void close_records(CaseRecording& recording, const OpenRecording& open) {
  for (const Nanos time : open.marks) {
    recording.records.push_back({.stamp = stamp_from_nanos(nanos(kEpoch) + time), .mark = true});
  }
  for (const auto& [time, values] : open.records) {
    SampleRecord record{.stamp = stamp_from_nanos(nanos(kEpoch) + time)};
    for (const auto& [metric, set] : values) {
      if (set.carried) record.sets.push_back(close_set(recording, metric, set));
    }
    if (!record.sets.empty()) recording.records.push_back(std::move(record));
  }
  std::ranges::stable_sort(recording.records, {}, &SampleRecord::stamp);
}

// `metadata`: a recording without records, which gets the renames. One at least.
Result<std::vector<CaseRecording>> read_samples(CaseRecording metadata, const Section& section) {
  auto standard = read_rhythm(split_words(section.arguments), {});
  if (!standard) return at_line(standard.error(), section.line - 1);
  std::vector<Nanos> marks;  // of every host
  std::vector<OpenRecording> hosts;
  for (const CaseLine& line : plain_lines(section)) {
    auto done = line.text.starts_with("rename ")
                    ? read_rename(metadata, line)
                    : read_sample_line(metadata, line, *standard, marks, hosts);
    if (!done) return fail(done.error());
  }
  if (hosts.empty()) hosts.emplace_back();
  std::vector<CaseRecording> all;
  for (OpenRecording& open : hosts) {
    open.marks.insert(open.marks.end(), marks.begin(), marks.end());
    CaseRecording& recording = all.emplace_back(metadata);
    recording.host = open.host;
    close_records(recording, open);
  }
  return all;
}

}  // namespace

std::vector<Instance> CaseDomain::instances_at(Stamp when) const {
  std::vector<Instance> there = instances;
  for (const Rename& rename : renames) {
    if (when < rename.when) break;
    std::ranges::find(there, rename.instance.id, &Instance::id)->name = rename.instance.name;
  }
  return there;
}

const CaseDomain* CaseRecording::domain(InDomId id) const {
  for (const CaseDomain& domain : domains) {
    if (domain.id == id) return &domain;
  }
  return nullptr;
}

const Metric* CaseRecording::metric(std::string_view name) const {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

Result<std::vector<CaseRecording>> read_recordings(const Section* metrics, const Section* samples) {
  CaseRecording metadata;
  if (metrics != nullptr) {
    for (const CaseLine& line : plain_lines(*metrics)) {
      if (auto done = read_metric(metadata, line); !done) return fail(done.error());
    }
  }
  if (samples == nullptr) return std::vector{std::move(metadata)};
  return read_samples(std::move(metadata), *samples);
}

Result<std::vector<CaseRecording>> read_recordings_of(const CaseFile& file) {
  return read_recordings(file.find("metrics"), file.find("samples"));
}

Result<CaseRecording> read_recording(const CaseFile& file) {
  auto all = read_recordings_of(file);
  if (!all) return fail(all.error());
  if (all->size() > 1) return fail(Fault::format, "samples of several hosts");
  return std::move(all->front());
}

std::string time_text(Stamp time) {
  const Nanos since = nanos(time) - nanos(kEpoch);
  const auto seconds = static_cast<int64_t>(since / 1'000'000'000);
  auto rest = static_cast<int64_t>(since % 1'000'000'000);
  if (rest == 0) return fmt::format("{}s", seconds);
  if (rest < 0) rest = -rest;
  std::string digits = fmt::format("{:09}", rest);
  digits.resize(digits.find_last_not_of('0') + 1);
  return fmt::format("{}{}.{}s", since < 0 && seconds == 0 ? "-" : "", seconds, digits);
}

Result<Nanos> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    int64_t ns;
  };
  constexpr int64_t kSecond = 1'000'000'000;
  constexpr Unit kUnits[] = {
      {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"min", 60 * kSecond}, {"s", kSecond}};
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.name)) continue;
    const std::string_view number = text.substr(0, text.size() - unit.name.size());
    double value = 0;
    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, value);
    const double ns = value * static_cast<double>(unit.ns);
    constexpr double kMax = 9e18;  // of nanoseconds in 64 bits: 285 years
    if (error == std::errc{} && stop == end && !number.empty() && std::abs(ns) < kMax) {
      return static_cast<int64_t>(ns);
    }
  }
  return fail(Fault::format, fmt::format("`{}` is not a duration (10s, 20ms, 2min)", text));
}

}  // namespace pmjit::cases
