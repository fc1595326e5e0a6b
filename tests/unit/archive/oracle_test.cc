// What our writer makes, before the real tools: accepted by pmlogcheck and pmdumplog, values as
// written. Only with PMJIT_ORACLE=1 and PCP installed.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "runtime/archive/writer.h"

namespace pmjit::test {
namespace {

struct Ran {
  int status;
  std::string text;
};

Ran run(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char part[4096];
  while (const size_t bytes = fread(part, 1, sizeof part, pipe)) text.append(part, bytes);
  return {pclose(pipe), text};
}

void write_archive(const std::string& base, Version version) {
  const auto output = file_output(base);
  ArchiveWriter writer({.version = version, .start = {.sec = 1'700'000'000}, .host = "w.example"},
                       *output);
  const auto add = [&](const char* name, PmId pmid, int type, InDomId indom) {
    writer.add_metric(name, {.pmid = 0x0f000000 | pmid,
                             .pm_type = type,
                             .indom = indom,
                             .semantics = Semantics::instant,
                             .units = {}});
  };
  add("w.one", 1, 3, kNullId);
  add("w.many", 2, 1, 0x0f000001);
  add("w.text", 3, 6, kNullId);
  for (int64_t i = 0; i < 6; ++i) {
    const Stamp stamp{.sec = 1'700'000'000 + i * 10};
    std::vector<Catalog::Instance> named;
    std::vector<int32_t> ids;
    // Instances come, one goes, and at the end one has another name.
    for (int32_t id = i > 3 ? 1 : 0; id <= i; ++id) {
      named.push_back({.id = id, .name = fmt::format("{}{}", i == 5 && id == 2 ? "new" : "n", id)});
      ids.push_back(id);
    }
    writer.set_instances(0x0f000001, named, stamp);
    if (i == 3) writer.mark({.sec = stamp.sec - 5});
    if (i == 4) writer.new_volume();
    const int32_t one[] = {kSingular};
    const uint64_t big[] = {1'000'000'000'000ull + static_cast<uint64_t>(i)};
    const std::vector<uint32_t> many(ids.size(), static_cast<uint32_t>(70 + i));
    const std::string texts[] = {fmt::format("text {}", i)};
    const WrittenSet sets[] = {
        {.pmid = 0x0f000001, .instances = one, .values = std::as_bytes(std::span(big))},
        {.pmid = 0x0f000002, .instances = ids, .values = std::as_bytes(std::span(many))},
        {.pmid = 0x0f000003, .instances = one, .texts = texts}};
    writer.put(stamp, sets);
  }
  ASSERT_TRUE(writer.close().has_value());
}

TEST(Oracle, TheRealToolsReadWhatWeWrite) {
  const char* wanted = std::getenv("PMJIT_ORACLE");
  if (wanted == nullptr || std::string_view(wanted) != "1") GTEST_SKIP() << "PMJIT_ORACLE is not 1";
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("pmjit-o-{}", getpid());
  std::filesystem::create_directory(folder);
  for (const Version version : {Version::v2, Version::v3}) {
    const std::string base = (folder / fmt::format("v{}", static_cast<int>(version))).string();
    write_archive(base, version);
    const Ran checked = run("pmlogcheck " + base);
    EXPECT_EQ(checked.status, 0);
    EXPECT_EQ(checked.text, "");
    const Ran dumped = run("pmdumplog -Z UTC -aM " + base);
    EXPECT_EQ(dumped.status, 0) << dumped.text;
    for (const char* part : {"(w.one): value 1000000000005", "inst [5 or \"n5\"] value 75",
                             "inst [2 or \"new2\"] value 75", "inst [1 or \"n1\"] value 74",
                             "value \"text 3\"", "<mark>", "from host w.example"}) {
      EXPECT_NE(dumped.text.find(part), std::string::npos) << part << "\n" << dumped.text;
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace pmjit::test
