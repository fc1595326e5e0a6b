// Every function of pcp/pmapi.h that PCP 6.0.3 has, with one wrong argument after the other: NULL,
// 0, negative numbers, PM_ID_NULL, handles that are none or no more; without a current context,
// with one that another thread has destroyed, and in a thread. What is returned stands beside the
// call. `called` sees to it that nothing is left out.
//
//   pmapi_wrong_calls ARCHIVE
//   PMJIT_CALLS_APART=1 LD_PRELOAD=/usr/lib/libpcp.so.3 pmapi_wrong_calls ARCHIVE      PCP's
#include "tests/pmapi/wrong_calls.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace pmjit {

Known g_known;

namespace {

std::atomic<int> g_checks = 0, g_failures = 0, g_crashes = 0;
const bool g_apart = std::getenv("PMJIT_CALLS_APART") != nullptr;

enum class End { returned, crashed };

// In a process of its own, which writes what it finds.
End call_apart(const std::function<std::string()>& call, std::string& out) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    (void)std::freopen("/dev/null", "w", stderr);
    alarm(5);
    const std::string found = call();
    const ssize_t written = write(ends[1], found.data(), found.size());
    _exit(written == static_cast<ssize_t>(found.size()) ? 0 : 1);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  (void)waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? End::returned : End::crashed;
}

void expect(const std::string& wanted, const std::function<std::string()>& call, const char* what) {
  ++g_checks;
  std::string found;
  if (!g_apart) {
    found = call();
  } else if (call_apart(call, found) == End::crashed) {
    ++g_crashes;
    return;
  }
  if (found == wanted) return;
  std::printf("FAILED %s: %s, not %s\n", what, found.c_str(), wanted.c_str());
  ++g_failures;
}

// A context that another thread has destroyed stays the current one of this.
void with_a_destroyed_context() {
  const int handle = pmNewContext(PM_CONTEXT_ARCHIVE, g_known.archive);
  std::thread([handle] { (void)pmDestroyContext(handle); }).join();
  without_context(PM_ERR_NOCONTEXT);
}

void wrong_arguments(int pass) {
  (void)pmUseContext(g_known.context);
  right_calls(pass);
  wrong_names();
  wrong_metrics();
  wrong_fetches();
  wrong_contexts();
  wrong_values();
  wrong_texts();
  wrong_identifiers();
  wrong_times();
  wrong_derived();
  wrong_groups();
  wrong_labels();
  wrong_program();
}

}  // namespace

void expect_number(long wanted, const std::function<long()>& call, const char* what) {
  expect(std::to_string(wanted), [&] { return std::to_string(call()); }, what);
}
void expect_text(const char* wanted, const std::function<const char*()>& call, const char* what) {
  const auto text = [](const char* from) { return from == nullptr ? "NULL" : std::string(from); };
  expect(text(wanted), [&] { return text(call()); }, what);
}
void expect_return(const std::function<void()>& call, const char* what) {
  expect("returned", [&] { return call(), "returned"; }, what);
}
bool of_ours() { return !g_apart; }

int wrong_calls(const char* archive) {
  g_known.archive = archive;
  g_known.context = pmNewContext(PM_CONTEXT_ARCHIVE, archive);
  const char* names[] = {"kernel.all.load", "disk.dev.read"};
  pmID ids[2];
  pmDesc desc;
  if (g_known.context < 0 || pmLookupName(2, names, ids) != 2 || pmLookupDesc(ids[1], &desc) < 0) {
    std::printf("FAILED: %s has not what is needed\n", archive);
    return 1;
  }
  g_known.load = ids[0];
  g_known.reads = ids[1];
  g_known.disks = desc.indom;
  wrong_arguments(1);
  std::thread(without_context, PM_ERR_NOPMNS).join();
  std::thread(with_a_destroyed_context).join();
  std::thread(wrong_arguments, 2).join();
  (void)pmUseContext(g_known.context);
  (void)pmDestroyContext(g_known.context);
  without_context(PM_ERR_NOPMNS);
  std::printf("%d calls, %d failed, %d crashed\n", g_checks.load(), g_failures.load(),
              g_crashes.load());
  return g_failures != 0 ? 1 : 0;
}

}  // namespace pmjit

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  setenv("PCP_DERIVED_CONFIG", "", 1);
  setenv("PCP_RIGHT_NAME", "right", 1);
  setenv("PCP_CONF", "/dev/null", 1);  // pmGetConfig() ends a process that has none
  return pmjit::wrong_calls(argv[1]);
}
