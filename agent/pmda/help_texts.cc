// Help texts that newhelp has compiled: NAME.dir says where in NAME.pag the texts of each metric
// and domain are. Both are read whole, and every place is checked before it is used. Source: spec
// collector-and-agents.md §2.9.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "agent/pmda/agent_state.h"
#include "runtime/base/bytes.h"

using namespace pmjit;

namespace {

constexpr uint32_t kMagic = 0x50635068, kVersion = 0x31320000;
constexpr uint32_t kDomainBit = 1u << 31;  // of the number of a domain
constexpr off_t kHelpBytesMax = off_t{1} << 30;

struct HelpEntry {
  uint32_t id, one_line, text;
};

struct HelpFile {
  std::vector<HelpEntry> entries;
  std::string texts;  // with a NUL behind

  char* find(uint32_t id, int type) {
    const auto found = std::ranges::find(entries, id, &HelpEntry::id);
    if (found == entries.end()) return nullptr;
    const uint32_t at = (type & PM_TEXT_ONELINE) != 0 ? found->one_line : found->text;
    return at < texts.size() ? texts.data() + at : nullptr;
  }
};

std::vector<std::optional<HelpFile>>& help_files() {
  static auto* const files = new std::vector<std::optional<HelpFile>>();
  return *files;
}

// A negative errno where it cannot be read.
int read_whole(const std::string& path, std::string& out) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -errno;
  struct stat about{};
  int status = ::fstat(fd, &about) < 0 ? -errno : 0;
  if (status == 0 && about.st_size > kHelpBytesMax) status = -EFBIG;
  if (status == 0) out.resize(static_cast<size_t>(about.st_size));
  size_t got = 0;
  while (status == 0 && got < out.size()) {
    const ssize_t now = ::read(fd, out.data() + got, out.size() - got);
    if (now < 0 && errno != EINTR) status = -errno;
    if (now == 0) break;
    if (now > 0) got += static_cast<size_t>(now);
  }
  out.resize(got);
  ::close(fd);
  return status;
}

int read_help(const std::string& base, HelpFile& out) {
  std::string places;
  if (const int status = read_whole(base + ".dir", places); status < 0) return status;
  if (const int status = read_whole(base + ".pag", out.texts); status < 0) return status;
  std::vector<HelpEntry> rows(places.size() / sizeof(HelpEntry));
  if (rows.empty()) return -EINVAL;
  std::memcpy(rows.data(), places.data(), rows.size() * sizeof(HelpEntry));
  if (rows[0].id != kMagic || rows[0].one_line != kVersion) return -EINVAL;
  if (rows[0].text > rows.size() - 1) return -EINVAL;
  out.entries.assign(rows.begin() + 1, rows.begin() + 1 + rows[0].text);
  return 0;
}

HelpFile* help_of(int handle) {
  auto& files = help_files();
  if (handle < 0 || static_cast<size_t>(handle) >= files.size()) return nullptr;
  auto& file = files[static_cast<size_t>(handle)];
  return file ? &*file : nullptr;
}

}  // namespace

int pmdaOpenHelp(const char* base) {
  if (base == nullptr) return -EINVAL;
  return at_c_border([&] {
    HelpFile file;
    if (const int status = read_help(base, file); status < 0) return status;
    auto& files = help_files();
    auto room = std::ranges::find_if(files, [](const auto& each) { return !each.has_value(); });
    if (room == files.end()) room = files.emplace(files.end());
    *room = std::move(file);
    return static_cast<int>(room - files.begin());
  });
}

void pmdaCloseHelp(int handle) {
  if (help_of(handle) != nullptr) help_files()[static_cast<size_t>(handle)].reset();
}

char* pmdaGetHelp(int handle, pmID pmid, int type) {
  HelpFile* file = help_of(handle);
  return file == nullptr ? nullptr : file->find(pmid, type);
}

char* pmdaGetInDomHelp(int handle, pmInDom indom, int type) {
  HelpFile* file = help_of(handle);
  return file == nullptr ? nullptr : file->find(indom | kDomainBit, type);
}
