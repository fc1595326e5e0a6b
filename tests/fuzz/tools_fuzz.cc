// PCP's tools over the files of an archive of arbitrary bytes, or of two: what they print is the
// same when they are called again, and they end with a status of theirs. Derived metrics too.
//
// Parameters: which call of kCalls, which metric.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compat/registry/derive.h"
#include "runtime/archive/recording/archives.h"
#include "runtime/base/clock.h"
#include "runtime/base/result.h"
#include "runtime/cmd/dropin.h"
#include "tests/fuzz/archive_input.h"

namespace pmjit::fuzz {
namespace {

namespace fs = std::filesystem;

struct Call {
  int (*run)(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock);
  std::array<const char*, 8> words;  // @: the archives, &…: a file of the first, %: a metric
};
// Samples are few: stamps may be thousands of years apart.
constexpr Call kCalls[] = {
    {run_pmdumplog, {"pmdumplog", "-dehIilLtxxx", "@"}},
    {run_pmdumplog, {"pmdumplog", "-mMsx", "@"}},
    {run_pmdumplog, {"pmdumplog", "-mMr", "@", "%"}},
    {run_pmdumplog, {"pmdumplog", "-v", "&.meta"}},
    {run_pmdumplog, {"pmdumplog", "-v", "&.0"}},
    {run_pminfo, {"pminfo", "-dfIlmMstT", "-a", "@"}},
    {run_pminfo, {"pminfo", "-fx", "-O", "-1s", "-a", "@"}},
    {run_pmprobe, {"pmprobe", "-v", "-a", "@"}},
    {run_pmprobe, {"pmprobe", "-I", "-a", "@"}},
    {run_pmval, {"pmval", "-s20", "-t10", "-a", "@", "%"}},
    {run_pmval, {"pmval", "-s20", "-r", "-U", "@", "%"}},
    {run_pmval, {"pmval", "-s20", "-rf3", "-a", "@", "%"}},
    {run_pminfo, {"pminfo", "-dfmtT", "-a", "@", "d"}},
    {run_pmval, {"pmval", "-s20", "-t10", "-a", "@", "d.rate"}},
    {run_pmval, {"pmval", "-s20", "-t10", "-a", "@", "d.sum"}},
};

// A folder for the files and one in memory for standard output, as long as the process lives.
class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "tools_fuzz.XXXXXX").string();
    check(mkdtemp(name.data()) != nullptr, "there is a folder for temporary files");
    folder_ = name;
    output_ = memfd_create("stdout", 0);
    check(output_ >= 0 && dup2(output_, STDOUT_FILENO) >= 0, "standard output is a file in memory");
    setenv("PCP_STDERR", "/dev/null", 1);
    setenv("TZ", "UTC", 1);
    setenv("PCP_DERIVED_CONFIG", definitions().c_str(), 1);
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    fs::remove(definitions(), ignored);
  }

  // The names of the archives.
  std::string write(const ArchiveInput& input) {
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove(entry.path());
    std::string names = folder_ / "a";
    std::string base = names;
    bool has_meta = false;
    for (const InputFile& file : input.files) {
      if (file.number == kMetaVolume && std::exchange(has_meta, true)) {
        base = folder_ / "b";
        names = (folder_ / "a").string() + "," + base;
      }
      std::ofstream(base + suffix(file.number), std::ios::binary)
          .write(reinterpret_cast<const char*>(file.bytes.data()),
                 static_cast<std::streamsize>(file.bytes.size()));
    }
    return names;
  }

  // Of derived metrics over this one.
  void define(const std::string& metric) {
    std::ofstream(definitions()) << "d.rate = rate(" << metric << ")\nd.sum = " << metric
                                 << " - delta(" << metric << ") / count(" << metric
                                 << ")\nd.some = matchinst(!/a/, " << metric
                                 << ")\nd.first = scalar(" << metric << ")\n";
  }

  std::string run(const Call& call, const std::string& archive, const std::string& metric) {
    std::vector<std::string> words;
    for (const char* word : call.words) {
      if (word == nullptr) break;
      switch (*word) {
        case '@': words.push_back(archive); break;
        case '%': words.push_back(metric); break;
        case '&': words.push_back((folder_ / "a").string() + (word + 1)); break;
        default: words.emplace_back(word);
      }
    }
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    check(ftruncate(output_, 0) == 0 && lseek(output_, 0, SEEK_SET) == 0, "output starts anew");
    const auto derived = make_derived_metrics({});
    const int status = call.run(static_cast<int>(argv.size()), argv.data(), *derived, FakeClock());
    check(status == 0 || status == 1, "an exit status of PCP's tools");
    std::string out(static_cast<size_t>(lseek(output_, 0, SEEK_END)), '\0');
    check(pread(output_, out.data(), out.size(), 0) == static_cast<ssize_t>(out.size()), "output");
    return out;
  }

 private:
  [[nodiscard]] std::string definitions() const { return folder_.string() + ".derived"; }
  static std::string suffix(int32_t number) {
    if (number == kMetaVolume) return ".meta";
    if (number == kIndexVolume) return ".index";
    return "." + std::to_string(static_cast<uint32_t>(number));
  }
  fs::path folder_;
  int output_ = -1;
};

// One that is described, where there is one.
std::string metric_of(const std::string& archive, uint32_t which) {
  const auto archives = Archives::open(archive);
  if (!archives) return "a.b";
  const auto leaves = (*archives)->metadata().names.leaves();
  return leaves.empty() ? "a.b" : std::string(leaves[which % leaves.size()].name);
}

}  // namespace
}  // namespace pmjit::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pmjit;
  using namespace pmjit::fuzz;
  static Place place;
  const ArchiveInput input = take_apart_input({reinterpret_cast<const std::byte*>(data), size});
  const std::string archive = place.write(input);
  const std::string metric = metric_of(archive, input.parameter(1));
  place.define(metric);
  const Call& call = kCalls[input.parameter(0) % std::size(kCalls)];
  check(place.run(call, archive, metric) == place.run(call, archive, metric), "the same output");
  return 0;
}
