// The program around us: messages, strings, configuration, what to trace. Source: spec pmapi.md
// §21.
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include "runtime/base/installed.h"
#include "runtime/base/local_host.h"
#include "runtime/client/net/secure_module.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"
#include "runtime/pmapi/library.h"
#include "runtime/pmapi/messages.h"

using namespace pmjit;

pmdebugoptions_t pmDebugOptions;

namespace {

struct PendingMessages {
  std::mutex lock;
  std::string pending;
  bool to_syslog = false;
};
PendingMessages& messages_of_process() {
  static auto* const messages = new PendingMessages();
  return *messages;
}

std::string formatted(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int bytes = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string out(static_cast<size_t>(std::max(bytes, 0)), '\0');
  std::vsnprintf(out.data(), out.size() + 1, format, arguments);
  return out;
}

// By a window of the program that the configuration names, else to standard error.
int show_in_window(const std::string& text) {
  const char* program = pmGetOptionalConfig("PCP_XCONFIRM_PROG");
  if (program == nullptr || *program == '\0') {
    std::fprintf(stderr, "%s: no PCP_XCONFIRM_PROG\n", pmGetProgname());
    return PM_ERR_GENERIC;
  }
  if (access(program, X_OK) != 0) {
    std::fprintf(stderr, "%s: using stderr - cannot access %s: %s\n", pmGetProgname(), program,
                 std::strerror(errno));
    std::fputs(text.c_str(), stderr);
    return 0;
  }
  std::string command = fmt::format("{} -t '", program);
  for (const char c : text) {
    if (c == '\'') {
      command += "'\\''";
    } else {
      command += c;
    }
  }
  command += "' -c -B OK -icon info";
  if (text.size() > 80) command += " -useslider";
  command += " -header \"PCP Information\" >/dev/null";
  return std::system(command.c_str()) < 0 ? -errno : 0;
}

int write_messages(const std::string& text) {
  const char* where = std::getenv("PCP_STDERR");
  if (where != nullptr && std::strcmp(where, "DISPLAY") == 0) return show_in_window(text);
  FILE* file = where == nullptr || *where == '\0' ? stderr : std::fopen(where, "a");
  if (file == nullptr) {
    std::fprintf(stderr, "pmflush: cannot append to file '%s' (from $PCP_STDERR): %s\n", where,
                 std::strerror(errno));
    file = stderr;
  }
  std::fputs(text.c_str(), file);
  if (file == stderr) return std::fflush(stderr) == 0 ? 0 : -errno;
  return std::fclose(file) == 0 ? 0 : -errno;
}

constexpr const char* kLevels[] = {"Emergency", "Alert",  "Critical", "Error",
                                   "Warning",   "Notice", "Info",     "Debug"};

std::mutex g_program_lock;
char* g_program = nullptr;

// Each name that the program has had, once: programs keep what pmGetProgname() gave them.
char* kept_name(const char* name) {
  static auto* const names = new std::set<std::string>();
  return const_cast<char*>(names->insert(name).first->c_str());
}

// Everything that the configuration file says goes to the environment, once.
enum class Configured : uint8_t { unknown, no_file, done };
Configured g_configured = Configured::unknown;
std::mutex g_configured_lock;

std::string configuration_file() {
  if (const char* path = std::getenv("PCP_CONF")) return path;
  if (const char* folder = std::getenv("PCP_DIR")) return fmt::format("{}/etc/pcp.conf", folder);
  return "/etc/pcp.conf";
}

// False: there is no such file. Whoever asks again has what the environment says.
bool configure() {
  const std::scoped_lock lock(g_configured_lock);
  if (g_configured == Configured::unknown) {
    const std::string path = configuration_file();
    if (access(path.c_str(), R_OK) != 0) {
      g_configured = Configured::no_file;
      return false;
    }
    for (const auto& [name, value] : installed_settings_of(path)) {
      setenv(name.c_str(), value.c_str(), 0);
    }
    g_configured = Configured::done;
  }
  return true;
}

struct LibraryFeature {
  const char *name, *value;
};
constexpr LibraryFeature kFeatures[] = {
    {"pcp_version", "6.0.3"},
    {"pmapi_version", "3"},
    {"multi_threaded", "true"},
    {"fault_injection", "false"},
    {"secure_sockets", "true"},
    {"authentication", "true"},
    {"ipv6", "true"},
    {"unix_domain_sockets", "true"},
    {"static_probes", "false"},
    {"service_discovery", "false"},
    {"multi_archive_contexts", "true"},
    {"lock_asserts", "false"},
    {"lock_debug", "false"},
    {"lzma_decompress", "true"},
    {"transparent_decompress", "true"},
    {"compress_suffixes", ".xz .lzma .bz2 .bz .gz .Z .z"},
    {"v3_archives", "true"},
    {"archive_features", ""},
};

constexpr const char* kDebugFlags[] = {
#define DEBUG_FLAGS(...) __VA_ARGS__
#include "runtime/text/debug_flags.def"
#undef DEBUG_FLAGS
};
static_assert(std::size(kDebugFlags) * sizeof(int) == sizeof(pmdebugoptions_t));

// How many of them have a bit of pmDebug at their place.
constexpr size_t kDebugBits = 28;
constexpr size_t kDesperateBit = 30;  // of the next one

// The flags of a list, or of a number with the bits of pmDebug. False: one is unknown.
bool flags_of(const char* spec, bool (&out)[std::size(kDebugFlags)]) {
  char* end = nullptr;
  const long mask = std::strtol(spec, &end, 10);
  if (*end == '\0' && end != spec) {
    for (size_t i = 0; i < kDebugBits; ++i) out[i] = (mask >> i & 1) != 0;
    out[kDebugBits] = (mask >> kDesperateBit & 1) != 0;
    return true;
  }
  std::string_view rest = spec;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string name(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const bool all = strcasecmp(name.c_str(), "all") == 0;
    bool any = all;
    for (size_t i = 0; i < std::size(out); ++i) {
      if (!all && strcasecmp(name.c_str(), kDebugFlags[i]) != 0) continue;
      out[i] = any = true;
    }
    if (!any) return false;
  }
  return true;
}

int change_flags(const char* spec, int value) {
  if (spec == nullptr) return PM_ERR_CONV;
  bool wanted[std::size(kDebugFlags)] = {};
  if (!flags_of(spec, wanted)) return PM_ERR_CONV;
  int* const flags = reinterpret_cast<int*>(&pmDebugOptions);
  unsigned bits = 0;
  for (size_t i = 0; i < std::size(wanted); ++i) {
    if (!wanted[i]) continue;
    flags[i] = value;
    if (i < kDebugBits) bits |= 1U << i;
    if (i == kDebugBits) bits |= 1U << kDesperateBit;
  }
  if (std::ranges::all_of(wanted, [](bool flag) { return flag; })) bits = INT32_MAX;
  pmDebug = static_cast<int>(value != 0 ? static_cast<unsigned>(pmDebug) | bits
                                        : static_cast<unsigned>(pmDebug) & ~bits);
  return 0;
}

// In the zone of the machine, whichever the program has chosen for values.
std::string now_text() {
  return at_c_border_or<std::string>({}, [] { return pm_ctime(seconds_now(), Zone()); });
}

void end_log(int, void* log) {
  std::fprintf(static_cast<FILE*>(log), "\nLog finished %s", now_text().c_str());
}

}  // namespace

namespace pmjit {

void add_message(std::string_view text) {
  PendingMessages& messages = messages_of_process();
  const std::scoped_lock lock(messages.lock);
  messages.pending += text;
}

std::string program_name() { return pmGetProgname(); }

void set_variable(const char* name, const char* value) { setenv(name, value, 1); }

}  // namespace pmjit

int pmprintf(const char* format, ...) {
  if (format == nullptr) return -1;
  va_list arguments;
  va_start(arguments, format);
  const int bytes = at_c_border([&] {
    const std::string text = formatted(format, arguments);
    add_message(text);
    return static_cast<int>(text.size());
  });
  va_end(arguments);
  return bytes;
}

int pmflush(void) {
  return at_c_border([] {
    PendingMessages& messages = messages_of_process();
    const std::scoped_lock lock(messages.lock);
    if (messages.pending.empty()) return 0;
    const std::string text = std::exchange(messages.pending, {});
    return write_messages(text);
  });
}

void pmNotifyErr(int priority, const char* format, ...) {
  if (format == nullptr) return;
  va_list arguments;
  va_start(arguments, format);
  (void)at_c_border([&] {
    const std::string text = formatted(format, arguments);
    const bool known = priority >= 0 && priority < static_cast<int>(std::size(kLevels));
    PendingMessages& messages = messages_of_process();
    if (messages.to_syslog) syslog(priority, "%s", text.c_str());
    add_message(fmt::format("[{:.19}] {}({}) {}: {}{}", now_text(), pmGetProgname(), getpid(),
                            known ? kLevels[priority] : "???", text,
                            text.ends_with('\n') ? "" : "\n"));
    return pmflush();
  });
  va_end(arguments);
}

void pmSyslog(int on) {
  PendingMessages& messages = messages_of_process();
  messages.to_syslog = on != 0;
  if (on != 0) {
    openlog("pcp", LOG_PID | LOG_CONS | LOG_NDELAY, LOG_DAEMON);
  } else {
    closelog();
  }
}

void pmNoMem(const char* where, size_t bytes, int fatal) {
  const int error = errno;
  pmNotifyErr(fatal != 0 ? LOG_ERR : LOG_WARNING, "%s: malloc(%zu) failed: %s",
              where == nullptr ? "" : where, bytes, std::strerror(error));
  if (fatal != 0) std::exit(1);
}

// Where the file cannot be written, the old stream is the log.
FILE* pmOpenLog(const char* program, const char* path, FILE* old, int* status) {
  if (status != nullptr) *status = 0;
  if (program == nullptr || path == nullptr || old == nullptr) return old;
  std::fflush(old);
  // freopen() would close the old one first.
  const int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (opened >= 0) close(opened);
  const bool written = opened >= 0 && std::freopen(path, "w", old) != nullptr;
  if (!written) {
    pmprintf("%s: cannot open log \"%s\" for writing : %s\n", program, path, std::strerror(errno));
    pmflush();
  } else if (old == stderr) {
    std::setvbuf(old, nullptr, _IONBF, 0);
  } else {
    setlinebuf(old);
  }
  const std::string host = at_c_border_or<std::string>({}, [] { return local_host_name(); });
  std::fprintf(old, "Log for %s on %s started %s\n", program, host.c_str(), now_text().c_str());
  on_exit(end_log, old);
  if (status != nullptr) *status = written ? 1 : 0;
  return old;
}

void pmSetProgname(const char* name) {
  (void)at_c_border([&] {
    const std::scoped_lock lock(g_program_lock);
    const char* slash = name == nullptr ? nullptr : std::strrchr(name, '/');
    g_program = name == nullptr ? nullptr : kept_name(slash == nullptr ? name : slash + 1);
    pmProgname = g_program == nullptr ? const_cast<char*>("pcp") : g_program;
    return 0;
  });
}

char* pmGetProgname(void) {
  static char otherwise[] = "pcp";
  const std::scoped_lock lock(g_program_lock);
  return g_program == nullptr ? otherwise : g_program;
}

// 1 for an empty text and for a mistake, as in PCP 6.
int pmsprintf(char* buffer, size_t bytes, const char* format, ...) {
  if (bytes == 0) return 0;
  if (buffer == nullptr || format == nullptr) return 1;
  va_list arguments;
  va_start(arguments, format);
  const int made = std::vsnprintf(buffer, bytes, format, arguments);
  va_end(arguments);
  if (made <= 0) {
    *buffer = '\0';
    return 1;
  }
  return static_cast<int>(std::min(static_cast<size_t>(made), bytes - 1));
}

int pmstrncpy(char* to, size_t bytes, const char* from) {
  if (to == nullptr || from == nullptr || bytes == 0) return -1;
  const size_t length = std::strlen(from);
  (void)put_text(from, to, static_cast<int>(std::min<size_t>(bytes, INT32_MAX)));
  return length < bytes ? 0 : -1;
}

int pmstrncat(char* to, size_t bytes, const char* from) {
  if (to == nullptr || from == nullptr || bytes == 0) return -1;
  const size_t used = strnlen(to, bytes);
  if (used == bytes) return -1;
  return pmstrncpy(to + used, bytes - used, from);
}

size_t pmstrlen(const char* text) { return text == nullptr ? 0 : std::strlen(text); }

ssize_t pmfstring(FILE* file, char** out) {
  if (file == nullptr || out == nullptr) return -1;
  try {
    std::string word;
    int c = std::getc(file);
    while (c != EOF && c != '\n' && std::isspace(c) != 0) c = std::getc(file);
    if (c == EOF) return -1;
    if (c == '\n') return 0;
    while (c != EOF && std::isspace(c) == 0) {
      word += static_cast<char>(c);
      c = std::getc(file);
    }
    *out = give_text(word);
    return static_cast<ssize_t>(word.size());
  } catch (...) {
    return -2;
  }
}

int pmPathSeparator(void) { return '/'; }

int pmGetVersion(void) { return PM_VERSION_CURRENT; }

int pmGetUsername(char** name) {
  if (name == nullptr) return -EINVAL;
  static char otherwise[] = "pcp";
  char* const said = pmGetOptionalConfig("PCP_USER");
  const bool configured = said != nullptr && *said != '\0';
  *name = configured ? said : otherwise;
  return configured ? 1 : 0;
}

int pmSetProcessIdentity(const char* user) {
  const passwd* entry = user == nullptr ? nullptr : getpwnam(user);
  if (entry == nullptr) {
    pmNotifyErr(LOG_CRIT, "cannot find the %s user to switch to", user == nullptr ? "" : user);
    std::exit(1);
  }
  if (setgid(entry->pw_gid) < 0 || initgroups(user, entry->pw_gid) < 0 ||
      setuid(entry->pw_uid) < 0) {
    pmNotifyErr(LOG_CRIT, "cannot switch to the %s user: %s", user, std::strerror(errno));
    std::exit(1);
  }
  return 0;
}

char* pmGetOptionalConfig(const char* name) {
  if (name == nullptr) return nullptr;
  return at_c_border_or<char*>(nullptr, [&] { return configure() ? std::getenv(name) : nullptr; });
}

char* pmGetConfig(const char* name) {
  static char empty[] = "";
  const bool there = at_c_border_or(false, [] { return configure(); });
  if (!there) {
    const int error = errno;
    std::fprintf(stderr,
                 "FATAL PCP ERROR: could not open config file \"%s\" : %s\n"
                 "You may need to set PCP_CONF or PCP_DIR in your environment.\n",
                 configuration_file().c_str(), std::strerror(error));
    std::exit(1);
  }
  char* const value = name == nullptr ? nullptr : std::getenv(name);
  return value == nullptr ? empty : value;
}

const char* pmGetAPIConfig(const char* feature) {
  if (feature == nullptr) return nullptr;
  if (strcasecmp(feature, "openssl_version") == 0) return openssl_version();
  if (strcasecmp(feature, "sasl_version") == 0) return sasl_version();
  for (const LibraryFeature& known : kFeatures) {
    if (strcasecmp(known.name, feature) == 0) return known.value;
  }
  return nullptr;
}

int pmSetDebug(const char* spec) {
  return at_c_border([&] { return change_flags(spec, 1); });
}
int pmClearDebug(const char* spec) {
  return at_c_border([&] { return change_flags(spec, 0); });
}

char* pmGetDebug(void) {
  return at_c_border_or<char*>(nullptr, [] {
    const int* flag = &pmDebugOptions.pdu;
    std::string out;
    for (const char* name : kDebugFlags) {
      if (*flag++ != 0) out.append(out.empty() ? "" : ",").append(name);
    }
    return give_text(out);
  });
}
