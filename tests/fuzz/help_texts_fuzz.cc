// Any bytes as NAME.dir and NAME.pag, the help texts that newhelp has compiled: whatever stands in
// them, a text that an agent gets ends within the file. The first two bytes say how much is .dir.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>

#include "agent/interface/include/pcp/pmda.h"

namespace {

constexpr std::array kTypes{PM_TEXT_ONELINE, PM_TEXT_HELP, PM_TEXT_ONELINE | PM_TEXT_PMID, 0, -1};

// Files of a folder that goes with the process.
struct HelpFolder {
  HelpFolder() {
    if (::mkdtemp(path.data()) == nullptr) std::abort();
    base = path + "/help";
  }
  ~HelpFolder() {
    for (const char* end : {".dir", ".pag"}) ::unlink((base + end).c_str());
    ::rmdir(path.c_str());
  }
  HelpFolder(const HelpFolder&) = delete;
  HelpFolder& operator=(const HelpFolder&) = delete;

  std::string path = std::filesystem::temp_directory_path() / "help_texts_fuzz.XXXXXX", base;
};

void write_file(const std::string& path, std::span<const uint8_t> bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool whole =
      fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (!whole) std::abort();
  ::close(fd);
}

// Reads every byte of it, as an agent does that sends it.
size_t length_of(const char* text) { return text == nullptr ? 0 : std::strlen(text); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const HelpFolder folder;
  if (size < 2) return 0;
  const std::span bytes(data + 2, size - 2);
  const size_t cut = std::min(bytes.size(), size_t{data[0]} << 8 | data[1]);
  const auto places = bytes.first(cut), texts = bytes.subspan(cut);
  write_file(folder.base + ".dir", places);
  write_file(folder.base + ".pag", texts);
  const int handle = pmdaOpenHelp(folder.base.c_str());
  for (size_t at = 0; at + 4 <= places.size(); at += 4) {
    uint32_t id = 0;
    std::memcpy(&id, places.data() + at, sizeof id);
    for (const int type : kTypes) {
      const size_t longest = std::max(length_of(pmdaGetHelp(handle, id, type)),
                                      length_of(pmdaGetInDomHelp(handle, id & 0x7fffffff, type)));
      if (longest > texts.size() || (handle < 0 && longest != 0)) std::abort();
    }
  }
  if (handle >= 0) pmdaCloseHelp(handle);
  if (pmdaGetHelp(handle, 0, PM_TEXT_ONELINE) != nullptr) std::abort();
  return 0;
}
