// pmdumplog -v: a file as framed records, whatever it is, in hexadecimal. Source: spec tools.md
// §2.15.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "runtime/base/bytes.h"
#include "runtime/cmd/pmdumplog/dump.h"
#include "runtime/model/pm_error.h"

namespace pmjit {

namespace {

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
