// The file of a cache, PCP_VAR_DIR/config/pmda/DOMAIN.SERIAL: a line "2 REUSE HIGHEST", then a line
// "INST STAMP [KEY] NAME" an instance, the key in hexadecimal digits. Source: spec
// collector-and-agents.md §2.7.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>

#include "agent/pmda/instance_cache.h"

namespace pmjit {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

// Empty where no setting says.
std::string path_of(pmInDom indom) {
  const char* root = pmGetOptionalConfig("PCP_VAR_DIR");
  if (root == nullptr) return {};
  return fmt::format("{}/config/pmda/{}.{}", root, pmInDom_domain(indom), pmInDom_serial(indom));
}

std::string hex_of(std::string_view key) {
  std::string out;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
  }
  return out;
}

template <class Number>
bool take_number(std::string_view& line, Number& out) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), out);
  if (error != std::errc()) return false;
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  if (line.starts_with(' ')) line.remove_prefix(1);
  return true;
}

// "[8877] name": the key, if it is one.
std::string take_key(std::string_view& line) {
  const size_t end = line.find("] ");
  if (!line.starts_with('[') || end == std::string_view::npos || end % 2 == 0) return {};
  const std::string_view digits = line.substr(1, end - 1);
  std::string out;
  for (size_t i = 0; i < digits.size(); i += 2) {
    const size_t high = kHexDigits.find(digits[i]), low = kHexDigits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return {};
    out += static_cast<char>(high << 4 | low);
  }
  line.remove_prefix(end + 2);
  return out;
}

bool take_head(std::string_view line, InstanceCache& cache) {
  int version = 0, reuse = 0, highest = INT_MAX;
  if (!take_number(line, version) || !take_number(line, reuse)) return false;
  if (version != 1 && version != 2) return false;
  if (version == 2 && (!take_number(line, highest) || cache.resize(highest) < 0)) return false;
  if (reuse != 0) cache.set_reuses();
  return true;
}

void warn(const InstanceCache& cache, std::string_view line, const char* what) {
  char text[32];
  pmNotifyErr(LOG_WARNING, "pmdaCacheOp: %s: loading \"%.*s\": %s",
              pmInDomStr_r(cache.indom(), text, sizeof text), static_cast<int>(line.size()),
              line.data(), what);
}

bool take_instance(const std::string& whole, InstanceCache& cache) {
  std::string_view line = whole;
  int inst = 0;
  int64_t stamp = 0;
  if (!take_number(line, inst) || !take_number(line, stamp) || inst < 0 || inst > cache.highest()) {
    warn(cache, whole, "bad line is ignored");
    return false;
  }
  const std::string key = take_key(line);
  if (line.empty() && !cache.only_strings()) {
    warn(cache, whole, "a line without a name is ignored");
    return false;
  }
  const CachedInstance* known = cache.find(inst);
  if (known != nullptr && known->name == line && known->key == key) return true;
  CachedInstance* made = cache.add_saved(inst, line, key);
  if (made == nullptr) {
    warn(cache, whole, "instance that contradicts the cache is ignored");
    return false;
  }
  cache.hide(*made);
  made->was_active = false;
  made->stamp = stamp;
  return true;
}

}  // namespace

int load_cache(InstanceCache& cache) {
  const std::string path = path_of(cache.indom());
  if (path.empty()) return PM_ERR_GENERIC;
  std::ifstream file(path);
  if (!file) return errno == 0 ? -ENOENT : -errno;
  const InstanceCache::Changes before = cache.changes;
  std::string line;
  if (!std::getline(file, line) || !take_head(line, cache)) {
    pmNotifyErr(LOG_ERR, "pmdaCacheOp: %s: illegal cache header record", path.c_str());
    return PM_ERR_GENERIC;
  }
  int count = 0;
  while (std::getline(file, line)) count += take_instance(line, cache) ? 1 : 0;
  cache.changes = before;
  return count;
}

int save_cache(InstanceCache& cache, bool stamps_too) {
  if (!cache.changes.instances && !(stamps_too && cache.changes.stamps)) return 0;
  const std::string path = path_of(cache.indom());
  if (path.empty()) return PM_ERR_GENERIC;
  timeval now{};
  pmtimevalNow(&now);
  std::string text = fmt::format("2 {} {}\n", cache.reuses() ? 1 : 0, cache.highest());
  int count = 0;
  for (auto& [inst, instance] : cache.instances()) {
    if (instance.state == CacheState::culled) continue;
    if (instance.was_active) instance.stamp = now.tv_sec;
    instance.was_active = instance.state == CacheState::active;
    text += fmt::format("{} {} ", inst, instance.stamp);
    if (!instance.key.empty()) text += fmt::format("[{}] ", hex_of(instance.key));
    text += instance.name + '\n';
    ++count;
  }
  std::error_code error;
  const std::filesystem::path to(path);
  std::filesystem::create_directories(to.parent_path(), error);
  // Whoever reads it meanwhile, or after a full disk, has the old one.
  const std::string fresh = fmt::format("{}.{}", path, ::getpid());
  errno = 0;
  std::ofstream file(fresh, std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    const int code = errno == 0 ? -EIO : -errno;
    ::unlink(fresh.c_str());
    return code;
  }
  std::filesystem::rename(fresh, to, error);
  if (error) return -error.value();
  cache.changes = {};
  return count;
}

}  // namespace pmjit
