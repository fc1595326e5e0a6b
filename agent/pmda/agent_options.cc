// Options of daemons, and their log. Source: spec collector-and-agents.md §2.2, pmapi.md §20.
#include <cstddef>

#include "agent/pmda/agent_state.h"

using namespace pmjit;

namespace {

// What pmdaOptions and pmOptions have in common, so that the client library's reader of options
// reads them. It does not get to see the rest.
constexpr size_t kCommonBytes = offsetof(pmdaOptions, username);
static_assert(offsetof(pmdaOptions, errors) == offsetof(pmOptions, errors));
static_assert(offsetof(pmdaOptions, optarg) == offsetof(pmOptions, optarg));

pmOptions client_options(const pmdaOptions& opts) {
  pmOptions out{};
  std::memcpy(&out, &opts, kCommonBytes);
  return out;
}

int next_option(int argc, char* const* argv, pmdaOptions& opts) {
  pmOptions common = client_options(opts);
  const int found = pmgetopt_r(argc, argv, &common);
  std::memcpy(&opts, &common, kCommonBytes);
  return found;
}

// The option that has chosen the channel before.
char channel_letter(pmdaIoType io) {
  switch (io) {
    case pmdaPipe: return 'p';
    case pmdaInet: return 'i';
    case pmdaIPv6: return '6';
    case pmdaUnix: return 'u';
    case pmdaUnknown: break;
  }
  return 0;
}
pmdaIoType channel_of(int letter) {
  switch (letter) {
    case 'i': return pmdaInet;
    case '6': return pmdaIPv6;
    case 'u': return pmdaUnix;
    default: return pmdaPipe;
  }
}

// A number of a port, or the name of a service.
void take_port(pmdaExt& ext, const char* text) {
  char* end = nullptr;
  const long port = std::strtol(text, &end, 10);
  if (*end == '\0' && end != text) {
    ext.e_port = static_cast<int>(port);
  } else {
    ext.e_sockname = keep_text(ext, text);
  }
}

class AgentOptions {
 public:
  AgentOptions(pmdaInterface& agent, int& errors)
      : agent_(agent), ext_(*ext_of(&agent)), errors_(errors) {}

  // False: it is none of the library's.
  bool take(int option, const char* argument) {
    switch (option) {
      case 'D': take_debug(argument); return true;
      case 'd': take_domain(argument); return true;
      case 'h': ext_.e_helptext = keep_text(ext_, argument); return true;
      case 'l': ext_.e_logfile = keep_text(ext_, argument); return true;
      case 'i':
      case '6':
      case 'u':
      case 'p': take_channel(option, argument); return true;
      case '?': ++errors_; return true;
      default: return false;
    }
  }

 private:
  void take_debug(const char* argument) {
    if (pmSetDebug(argument) >= 0) return;
    pmprintf("%s: unrecognized debug options specification (%s)\n", pmGetProgname(), argument);
    ++errors_;
  }
  void take_domain(const char* argument) {
    char* end = nullptr;
    const long domain = std::strtol(argument, &end, 10);
    if (*end != '\0' || end == argument) {
      pmprintf("%s: -d requires numeric domain number\n", pmGetProgname());
      ++errors_;
      return;
    }
    agent_.domain = static_cast<int>(domain);
    ext_.e_domain = agent_.domain;
  }
  void take_channel(int option, const char* argument) {
    const pmdaIoType wanted = channel_of(option);
    if (ext_.e_io != pmdaUnknown && ext_.e_io != wanted) {
      pmprintf("%s: -%c option clashes with -%c option\n", pmGetProgname(), option,
               channel_letter(ext_.e_io));
      ++errors_;
      return;
    }
    ext_.e_io = wanted;
    if (wanted == pmdaUnix) ext_.e_sockname = keep_text(ext_, argument);
    if (wanted == pmdaInet || wanted == pmdaIPv6) take_port(ext_, argument);
  }

  pmdaInterface& agent_;
  pmdaExt& ext_;
  int& errors_;
};

bool refuses_options(const pmdaInterface* agent, const char* who) {
  if (agent != nullptr && agent->status == 0 && ext_of(agent) != nullptr &&
      (ext_of(agent)->e_flags & PMDA_EXT_SETUPDONE) != 0) {
    return false;
  }
  pmNotifyErr(LOG_CRIT, "%s: need to call pmdaDaemon() first", who);
  return true;
}

}  // namespace

int pmdaGetOptions(int argc, char* const* argv, pmdaOptions* opts, pmdaInterface* agent) {
  if (opts == nullptr || argv == nullptr) return EOF;
  if (refuses_options(agent, "pmdaGetOptions")) {
    ++opts->errors;
    if (agent != nullptr) agent->status = PM_ERR_GENERIC;
    return EOF;
  }
  if (opts->short_options == nullptr) opts->short_options = PMDA_OPTIONS;
  AgentOptions options(*agent, opts->errors);
  for (;;) {
    const int found = next_option(argc, argv, *opts);
    if (found == EOF) return EOF;
    if (opts->override != nullptr && opts->override(found, opts) != 0) return found;
    if (found == 'U') {
      opts->username = opts->optarg;
    } else if (!options.take(found, opts->optarg)) {
      return found;
    }
  }
}

void pmdaUsageMessage(pmdaOptions* opts) {
  if (opts == nullptr) return;
  pmOptions common = client_options(*opts);
  pmUsageMessage(&common);
}

int pmdaGetOpt(int argc, char* const* argv, const char* letters, pmdaInterface* agent,
               int* errors) {
  int none = 0;
  int& counted = errors == nullptr ? none : *errors;
  if (argv == nullptr || letters == nullptr) return EOF;
  if (refuses_options(agent, "pmdaGetOpt")) {
    ++counted;
    if (agent != nullptr) agent->status = PM_ERR_GENERIC;
    return EOF;
  }
  AgentOptions options(*agent, counted);
  for (;;) {
    const int found = ::getopt(argc, argv, letters);
    if (found == EOF || !options.take(found, optarg)) return found;
  }
}

void pmdaOpenLog(pmdaInterface* agent) {
  const pmdaExt* ext = ext_of(agent);
  if (ext == nullptr || ext->e_logfile == nullptr) return;
  int status = 0;
  pmOpenLog(pmGetProgname(), ext->e_logfile, stderr, &status);
}
