// Symbols that are no part of the interface, and that agents of PCP's packages link with beside
// libpcp_pmda: the sources of simple and sample, and shared objects that run in a client.
#include <signal.h>
#include <sys/mman.h>
#include <sys/times.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "runtime/base/byte_writer.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"
#include "runtime/wire/codec.h"

using namespace pmjit;

void __pmFreeInResult(pmInResult* result) {
  if (result == nullptr) return;
  for (int i = 0; i < result->numinst && result->namelist != nullptr; ++i) {
    std::free(result->namelist[i]);
  }
  std::free(result->namelist);
  std::free(result->instlist);
  std::free(result);
}

int __pmInProfile(pmInDom indom, const pmProfile* profile, int inst) {
  if (profile == nullptr) return 1;
  for (int i = 0; i < profile->profile_len; ++i) {
    const pmInDomProfile& of_domain = profile->profile[i];
    if (of_domain.indom != indom) continue;
    const std::span listed(of_domain.instances,
                           static_cast<size_t>(std::max(of_domain.instances_len, 0)));
    const bool is_listed = std::ranges::find(listed, inst) != listed.end();
    return is_listed == (of_domain.state == PM_PROFILE_EXCLUDE) ? 1 : 0;
  }
  return profile->state == PM_PROFILE_INCLUDE ? 1 : 0;
}

int __pmGetTimespec(struct timespec* out) {
  if (out == nullptr) return -EINVAL;
  return pmtimespecNow(out);
}

// Kilobytes that the data segment has grown by since the first call.
int __pmProcessDataSize(unsigned long* out) {
  static const auto* const first = static_cast<const char*>(::sbrk(0));
  if (out == nullptr) return 0;
  const auto* now = static_cast<const char*>(::sbrk(0));
  *out = now < first ? 0 : static_cast<unsigned long>(now - first) / 1024;
  return 0;
}

// Seconds of the processor, of this process.
int __pmProcessRunTimes(double* user, double* system) {
  if (user == nullptr || system == nullptr) return -EINVAL;
  tms used{};
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  *user = *system = 0;
  if (::times(&used) == static_cast<clock_t>(-1)) return -errno;
  *user = static_cast<double>(used.tms_utime) / ticks;
  *system = static_cast<double>(used.tms_stime) / ticks;
  return 0;
}

int __pmProcessExists(pid_t pid) {
  if (pid <= 0) return 0;
  return ::kill(pid, 0) == 0 || errno == EPERM ? 1 : 0;
}

void __pmMemoryUnmap(void* at, size_t bytes) {
  if (at != nullptr) ::munmap(at, bytes);
}

int __pmSendError(int fd, int from, int code) {
  return at_c_border([&] {
    ByteWriter out;
    wire::encode({.from = from, .body = wire::ErrorMessage{.code = code}}, out);
    for (Bytes left = out.written(); !left.empty();) {
      const ssize_t sent = ::write(fd, left.data(), left.size());
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return -errno;
      left = left.subspan(static_cast<size_t>(sent));
    }
    return 0;
  });
}

int __pmGetDomainLabels(int, const char* name, pmLabelSet** out) {
  if (name == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    // "pmdasample DSO" is the agent "sample".
    constexpr std::string_view kBefore = "pmda", kBehind = " DSO";
    std::string_view agent = name;
    if (agent.starts_with(kBefore)) agent.remove_prefix(kBefore.size());
    if (agent.ends_with(kBehind)) agent.remove_suffix(kBehind.size());
    const std::string json = "{\"agent\":" + json_quoted(agent) + "}";
    const int count = __pmAddLabels(out, json.c_str(), PM_LABEL_DOMAIN);
    return count < 0 ? count : 1;
  });
}
