// Fetches of every mode from every archive there is, by the real client library and by us: random
// archives, metrics, times, steps and directions. PMJIT_ARCHIVES: the folder; PMJIT_REPLAYS: how
// many. The library runs in a child, for it crashes at times (spec archives.md §24).

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "runtime/base/sanitized.h"
#include "runtime/client/archive_context/archive_context.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/model/oracle_library.h"

namespace pmjit::test {
namespace {

struct Trial {
  std::string archive;
  ReplayMode mode = ReplayMode::interpolated;
  Stamp when;
  ReplayStep step;
  int fetches = 1;
  std::vector<PmId> metrics;

  [[nodiscard]] std::string text() const {
    std::string pmids;
    for (const PmId pmid : metrics) pmids += " " + pmid_text(pmid);
    return fmt::format("{} mode {} at {}.{:09} step {}.{:09} x {}:{}", archive,
                       static_cast<int>(mode), when.sec, when.nsec, step.sec, step.nsec, fetches,
                       pmids);
  }
};

std::string hex_of_block(const std::byte* at, size_t bytes) {
  std::string out;
  for (size_t i = 0; i < bytes; ++i) out += fmt::format("{:02x}", static_cast<int>(at[i]));
  return out;
}

// After an error a fetch may be tried again, but not behind the end, nor record by record.
bool goes_on(const Trial& trial, int error) {
  return error != pm_err::E_EOL && trial.mode == ReplayMode::interpolated;
}

std::string ask_us(const Archives& archives, const Trial& trial) {
  std::string out;
  ReplayContext context(archives, BadVolumes::pass_over);
  context.set_mode(trial.mode, trial.when, trial.step);
  Fetched result;
  for (int k = 0; k < trial.fetches; ++k) {
    if (const auto done = context.fetch(trial.metrics, {}, result); !done) {
      out += fmt::format("error {}\n", done.error().pm_code());
      if (!goes_on(trial, done.error().pm_code())) break;
      continue;
    }
    out += fmt::format("@{}.{:09}\n", result.stamp.sec, result.stamp.nsec);
    for (const FetchedSet& set : result.sets) {
      out += fmt::format(" {:x} {}", set.pmid, set.count);
      for (const Value& value : set.values) {
        out += fmt::format(" {}=", value.instance);
        out += set.format == ValueFormat::in_place
                   ? fmt::format("{:08x}", value.word)
                   : fmt::format("{}:{}", value.type,
                                 hex_of_block(value.block.data(), value.block.size()));
      }
      out += "\n";
    }
  }
  return out;
}

std::string ask_library(const Trial& trial) {
  using oracle::function;
  struct Time {
    int64_t sec, nsec;
  };
  constexpr int kArchiveContext = 2;
  const int context =
      function<int(int, const char*)>("pmNewContext")(kArchiveContext, trial.archive.c_str());
  if (context < 0) return fmt::format("open {}\n", context);
  const Time when{trial.when.sec, trial.when.nsec}, step{trial.step.sec, trial.step.nsec};
  (void)function<int(int, const Time*, const Time*)>("pmSetModeHighRes")(
      static_cast<int>(trial.mode), &when, &step);
  auto* fetch = function<int(int, const PmId*, oracle::CResult**)>("pmFetchHighRes");
  auto* release = function<void(oracle::CResult*)>("pmFreeHighResResult");
  std::string out;
  for (int k = 0; k < trial.fetches; ++k) {
    oracle::CResult* result = nullptr;
    const int status = fetch(static_cast<int>(trial.metrics.size()), trial.metrics.data(), &result);
    if (status < 0) {
      out += fmt::format("error {}\n", status);
      if (!goes_on(trial, status)) break;
      continue;
    }
    out += fmt::format("@{}.{:09}\n", result->sec, result->fraction);
    for (int i = 0; i < result->count; ++i) {
      const oracle::CValueSet& set = *result->sets[i];
      out += fmt::format(" {:x} {}", set.pmid, set.count);
      for (int j = 0; j < set.count; ++j) {
        const oracle::CValue& value = set.values[j];
        out += fmt::format(" {}=", value.instance);
        if (set.format == 0) {
          out += fmt::format("{:08x}", static_cast<uint32_t>(value.word));
        } else {
          uint32_t head = 0;
          std::memcpy(&head, value.block, sizeof head);
          const auto* data = static_cast<const std::byte*>(value.block) + sizeof head;
          out += fmt::format("{}:{}", head >> 24, hex_of_block(data, (head & 0xffffff) - 4));
        }
      }
      out += "\n";
    }
    release(result);
  }
  return out;
}

// Nothing: the library did not survive it.
std::optional<std::string> ask_library_in_child(const Trial& trial) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string text = ask_library(trial);
    for (size_t at = 0; at < text.size();) {
      const ssize_t written = write(ends[1], text.data() + at, text.size() - at);
      if (written <= 0) break;
      at += static_cast<size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string out;
  char buffer[65536];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return std::nullopt;
  return out;
}

class ReplayOracle : public oracle::OracleTest {
 protected:
  Trial random_trial(const std::string& archive, const Archives& archives) {
    const auto end = archives.end();
    const int64_t start = archives.start().sec;
    const int64_t span = std::max<int64_t>(1, end ? end->sec - start : 60);
    Trial trial{.archive = archive};
    const int64_t mode = between(1, 8);
    if (mode > 6) trial.mode = mode == 7 ? ReplayMode::forward : ReplayMode::backward;
    trial.when.sec = start + between(-2, span + 2);
    const int32_t fractions[] = {0, 0, 500'000'000, static_cast<int32_t>(between(0, 999'999'999))};
    trial.when.nsec = one_of(fractions);
    const int64_t millis[] = {
        250, 500, 1000, 10'000, 60'000, between(50, 2000), between(1000, span * 250 + 1000)};
    const int64_t step = one_of(millis);
    const int sign = once_in(3) ? -1 : 1;
    trial.step = {sign * (step / 1000), static_cast<int32_t>(sign * (step % 1000) * 1'000'000)};
    const int counts[] = {5, 20, 60};
    trial.fetches = one_of(counts);
    const auto& all = archives.metadata().pmids;
    const int64_t sizes[] = {1, 1, 1, 2, 5, 20};
    std::set<PmId> chosen;
    for (int64_t left = one_of(sizes); left > 0; --left) {
      chosen.insert(all[static_cast<size_t>(between(0, static_cast<int64_t>(all.size()) - 1))]);
    }
    trial.metrics.assign(chosen.begin(), chosen.end());
    return trial;
  }
};

std::vector<std::string> archives_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    const size_t end = path.find(".meta");
    if (end != std::string::npos) names.insert(path.substr(0, end));
  }
  return {names.begin(), names.end()};
}

// $PMJIT_ARCHIVES, or the archives that come with the real tools.
std::string archive_folder() {
  if (const char* folder = std::getenv("PMJIT_ARCHIVES")) return folder;
  std::ifstream settings("/etc/pcp.conf");
  constexpr std::string_view kWanted = "PCP_VAR_DIR=";
  for (std::string line; std::getline(settings, line);) {
    if (!line.starts_with(kWanted)) continue;
    return (std::filesystem::path(line.substr(kWanted.size())) / "testsuite" / "archives").string();
  }
  return ".";
}

TEST_F(ReplayOracle, FetchesAreTheLibrarys) {
  setenv("PCP_DERIVED_CONFIG", "", 1);
  const auto names = archives_in(archive_folder());
  ASSERT_FALSE(names.empty());
  const char* wanted = std::getenv("PMJIT_REPLAYS");
  const int trials = wanted != nullptr ? std::atoi(wanted) : kSanitized ? 30 : 300;
  int compared = 0, crashed = 0, refused = 0, values = 0;
  for (int k = 0; k < trials; ++k) {
    const auto& name =
        names[static_cast<size_t>(between(0, static_cast<int64_t>(names.size()) - 1))];
    const auto archives = Archives::open(name);
    if (!archives) {
      EXPECT_EQ(ask_library({.archive = name}),
                fmt::format("open {}\n", archives.error().pm_code()))
          << name;
      ++refused;
      continue;
    }
    const Trial trial = random_trial(name, **archives);
    const auto theirs = ask_library_in_child(trial);
    if (!theirs) {
      ++crashed;
      continue;
    }
    const std::string ours = ask_us(**archives, trial);
    EXPECT_EQ(ours, *theirs) << trial.text();
    values += static_cast<int>(std::ranges::count(ours, '='));
    ++compared;
  }
  fmt::print(
      "{} replays compared with {} values, {} archives refused alike, {} not survived by the "
      "library\n",
      compared, values, refused, crashed);
  EXPECT_GT(compared, trials / 2);
}

}  // namespace
}  // namespace pmjit::test
