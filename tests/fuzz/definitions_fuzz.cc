// Definition files of every dialect through the whole compiler: the first byte says the dialect and
// how many records a block has, the rest is a file. It is laid out, checked, and compiled with
// passes and without; what compiles is evaluated over a recording of the metrics that the seeds
// name, and both ways give the same lines.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/driver/check.h"
#include "compiler/driver/driver.h"
#include "compiler/format/format.h"
#include "runtime/base/result.h"
#include "runtime/testing/case_file.h"
#include "runtime/testing/case_recording.h"
#include "tests/lib/evaluate.h"
#include "tests/lib/memory_source.h"

namespace pmjit {
namespace {

constexpr size_t kDefinitionsMax = 60;  // of a file that is evaluated: more only take time
constexpr uint32_t kBlockRows[] = {1, 3, 7, 1024};

// Domains are numbered in the order in which they are named: 250.1, 250.2.
constexpr std::string_view kRecording = R"(# what the definitions are over
#: run: eval
--- metrics
disk.dev.read       u64 counter count        indom=disk[sda sdb sdc "sd d"]
disk.dev.write      u64 counter count        indom=disk
hinv.ncpu           u32 discrete none
hinv.physmem        u32 discrete Mbyte
hinv.machine        text discrete none
mem.physmem         u64 discrete Kbyte
mem.util.used       u64 instant Kbyte
kernel.all.load     f32 instant none         indom=load[1 5 15]
kernel.all.cpu.user u64 counter millisec
sample.long.million i32 instant none
sample.ulonglong.million  u64 instant none
sample.double.million     f64 instant none
sample.double.bin_ctr     f64 counter Kbyte  indom=disk
sample.colour       i32 instant none         indom=disk
sample.string.null  text instant none        indom=disk
--- samples every 10s
disk.dev.read[sda]    0 10 18446744073709551615 5 _ 30 31 40
disk.dev.read[sdb]    7 _ 9 - 20 ! 21 22
disk.dev.read[sd d]   - - 1 2 3 4 4 _
disk.dev.write[sda]   from 20ms: 1 2 3 4 5 6 7 8
disk.dev.write[sdc]   from 20ms: 1 1 1 _ 1 9 9 9
hinv.ncpu             at 0s 40s: 4 0
hinv.physmem          at 0s: 16
hinv.machine          at 0s 30s: "x86_64" ""
mem.physmem           16000 _ _ 16000 0 16000 16000 16000
mem.util.used         8000 9223372036854775808 0 ! - 1 2 3
kernel.all.load[1]    0.5 0 -1.5 NaN inf 1 2 3
kernel.all.load[15]   0.5 _ 1.5 2 inf 1 2 3
kernel.all.cpu.user   0 10000 9000 _ 40000 50000 60000 60000
sample.long.million   1000000 -2147483648 2147483647 0 -1 1 2 _
sample.ulonglong.million  18446744073709551615 1 0 2 3 4 5 6
sample.double.million     1e6 0 -0.0 NaN 1e308 2.5 _ 1
sample.double.bin_ctr[sda]  0 1.5 1e308 -1e308 0 1 2 3
sample.double.bin_ctr[sdb]  0 _ 1 2 - - 2 3
sample.colour[sda]    1 2 3 _ 5 6 7 8
sample.colour[sdb]    -1 0 1 2 3 4 5 6
sample.string.null[sda]  "a" "b" "" _ "a" "a" "b" "c"
sample.string.null[sdb]  "a" - "b" "b" "a" ! "b" "x y"
mark at 65s
rename disk[sdc] sde at 45s
rename load[15] sda at 35s
)";

constexpr std::string_view kEquivalent = "250.*";

cases::CaseRecording read() {
  const auto file = cases::parse_case("recording", kRecording);
  check(file.has_value(), "the recording is a case");
  auto recording = cases::read_recording(*file);
  check(recording.has_value(), recording ? "" : std::string_view(recording.error().what()));
  return *std::move(recording);
}

void check_layout(const SourceText& file, Dialect dialect) {
  Diags diags;
  const Formatted once = format_definitions(file, dialect, diags);
  const bool blank = file.text.find_first_not_of(" \t\r\n") == std::string::npos;
  check(diags.has_errors() || blank || !once.text.empty(), "a file does not vanish");
}

void check_passes(const CompileInput& input, const Recording& source, Dialect dialect,
                  uint32_t block_rows) {
  CompileOptions options{.evaluator = EvaluatorChoice::interpreter,
                         .passes = false,
                         .dialect = dialect,
                         .equivalent = EquivalentDomains::read(kEquivalent),
                         .reasons = true};
  const Compilation plain = compile(input, source.catalog(), options);
  options.passes = true;
  const Compilation better = compile(input, source.catalog(), options);
  check(plain.ok() == better.ok(), "passes change what compiles");
  check(plain.rendered() == better.rendered(), "passes change what is said");
  if (!plain.ok() || plain.program->roots.size() > kDefinitionsMax) return;
  const std::string expected = cases::evaluate(plain.program, source, {.block_rows = 1024}, true);
  check(cases::evaluate(better.program, source, {.block_rows = block_rows}, true) == expected,
        "passes or blocks change results");
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  static const cases::CaseRecording recording = read();
  static const cases::MemorySource source(recording);
  static constexpr Dialect kDialects[] = {Dialect::strict, Dialect::pcp6, Dialect::strict,
                                          Dialect::pcp7};
  if (size < 1) return 0;
  const Dialect dialect = kDialects[bytes[0] % 4];
  const CompileInput input{
      .expressions = {},
      .definition_files = {
          SourceText{"F", std::string(reinterpret_cast<const char*>(bytes) + 1, size - 1)}}};
  check_layout(input.definition_files[0], dialect);
  const CheckReport report =
      check_texts(input, &source.catalog(),
                  {.dialect = dialect, .equivalent = EquivalentDomains::read(kEquivalent)});
  for (const auto* reports : {&report.reports, &report.mistakes}) {
    for (const Compilation::Report& one : *reports) {
      const bool said = !render_all(one.diags, one.source).empty();
      check(said == !one.diags.empty(), "what is wrong is said");
    }
  }
  check_passes(input, source, dialect, kBlockRows[bytes[0] / 4 % 4]);
  return 0;
}
