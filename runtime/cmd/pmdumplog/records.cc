// The data records of a window, forwards or backwards. Source: spec tools.md §2.13.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "runtime/base/bytes.h"
#include "runtime/cmd/pmdumplog/dump.h"
#include "runtime/cmd/pmdumplog/record_printer.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

class RecordDump {
 public:
  RecordDump(Dump& dump, const std::vector<PmId>& metrics, const DumpWindow& window)
      : dump_(dump),
        window_(window),
        reader_(dump.archives, BadVolumes::pass_over),
        printer_(dump, metrics) {}

  [[nodiscard]] Result<void> run() {
    const bool reverse = dump_.request.reverse;
    auto there = reverse ? go_to_end() : go_to_start();
    if (!there) return there;
    bool titled = !reverse;
    Stamp now = reverse ? window_.end : window_.start;
    while (true) {
      const auto step = reverse ? reader_.previous() : reader_.next();
      if (!step) return std::unexpected(step.error());
      if (!*step) return {};
      const ReplayRecord& record = reader_.record();
      // Time goes one way: on the way to the window, and where a recording's clock was set back.
      if (reverse ? record.stamp > now : record.stamp < now) continue;
      now = record.stamp;
      if (!printer_.wants(record, reader_.layout())) continue;
      if (!std::exchange(titled, true)) print_title(record.stamp);
      if (window_.ends && (reverse ? now < window_.start : now > window_.end)) return {};
      printer_.print(record, reader_.layout());
    }
  }

 private:
  // In front of the first record at or after the window's start: from where the index leads back to
  // the records before it.
  [[nodiscard]] Result<void> go_to_start() {
    reader_.move_to_start();
    if (window_.start <= dump_.archives.start()) return {};
    if (auto sought = reader_.seek(window_.start, true); !sought) {
      return std::unexpected(sought.error());
    }
    while (true) {
      const auto step = reader_.previous();
      if (!step) return std::unexpected(step.error());
      if (!*step || reader_.record().stamp < window_.start) return {};
    }
  }

  // Behind the last record at or before the window's end. Damage behind it is none of ours.
  [[nodiscard]] Result<void> go_to_end() {
    const auto look_around = reader_.seek(window_.end, false);
    if (!look_around) return std::unexpected(look_around.error());
    while (*look_around) {
      const auto step = reader_.next();
      if (!step || !*step || reader_.record().stamp > window_.end) break;
    }
    return {};
  }

  void print_title(Stamp stamp) {
    const std::string date = date_and_time(stamp, Fraction::none, dump_.stamps.zone());
    dump_.out.print("\nLog finished at {:>24.24} - dump in reverse order\n", date);
  }

  Dump& dump_;
  const DumpWindow& window_;
  RecordReader reader_;
  RecordPrinter printer_;
};

// pmdumplog -v: a file as framed records, whatever it is, in hexadecimal. Source: spec tools.md
// §2.15.
constexpr int64_t kBytesPerLine = 32, kBytesPerGroup = 4, kFrameBytes = 8;

class RawFile {
 public:
  explicit RawFile(const std::string& path) : file_(std::fopen(path.c_str(), "rb"), &std::fclose) {}

  [[nodiscard]] bool open() const { return file_ != nullptr; }
  // -1: the file has ended.
  [[nodiscard]] int byte() { return std::getc(file_.get()); }
  [[nodiscard]] std::optional<int32_t> word() {
    std::byte bytes[4];
    if (std::fread(bytes, sizeof bytes, 1, file_.get()) != 1) return std::nullopt;
    return static_cast<int32_t>(load_be<uint32_t>(bytes));
  }

 private:
  std::unique_ptr<FILE, int (*)(FILE*)> file_;
};

// The bytes between the two length words; they may end with the file.
void dump_payload(RawFile& file, int64_t length, ToolOutput& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (int64_t i = 0; i < length; ++i) {
    const int byte = file.byte();
    if (byte < 0) {
      out << "Unexpected EOF\n";
      break;
    }
    if (i % kBytesPerLine == 0) out << '\n';
    if (i % kBytesPerGroup == 0) out << ' ';
    out << kDigits[byte >> 4] << kDigits[byte & 15];
  }
  out << '\n';
}

}  // namespace

bool dump_records(Dump& dump, const std::vector<PmId>& metrics, const DumpWindow& window) {
  const auto done = RecordDump(dump, metrics, window).run();
  if (done) return true;
  dump.out.flush();
  const int code = done.error().pm_code();
  dump.messages.complain(
      fmt::format("pmFetch: {}", code != 0 ? pm_error_text(code) : done.error().text()));
  return false;
}

int dump_raw(const std::string& path, ToolOutput& out, Messages& messages) {
  RawFile file(path);
  if (!file.open()) {
    messages.complain(fmt::format("Cannot open \"{}\": {}", path, pm_error_text(-errno)));
    return 1;
  }
  out.print("Raw dump of physical archive file \"{}\" ...\n", path);
  int64_t offset = 0;
  while (const auto length = file.word()) {
    out.print("Dump ... record len: {} @ offset: {}", *length, offset);
    dump_payload(file, *length - kFrameBytes, out);
    const auto trailer = file.word();
    if (!trailer) {
      out << "Unexpected EOF\n";
      break;
    }
    if (*trailer != *length) {
      out.print("Trailer botch: {} != {}\n", *trailer, *length);
      break;
    }
    offset += *length;
  }
  return 0;
}

}  // namespace pmjit
