// pmGetOptions: the environment, then the command line, then what has to fit together. Source: spec
// pmapi.md §20.2.
#include "runtime/pmapi/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/archive/format/names.h"
#include "runtime/base/local_host.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/messages.h"
#include "runtime/text/interval.h"

using namespace pmjit;

namespace {

// What stands for a standard option that has no letter.
enum LongOnly : int { kArchiveList = 256, kArchiveFolio, kHostList, kContainer, kDerived };

struct OptionVariable {
  std::string_view name;  // behind PCP_
  int option;
};
constexpr OptionVariable kOptionVariables[] = {
    {"ALIGN_TIME", 'A'},
    {"START_TIME", 'S'},
    {"FINISH_TIME", 'T'},
    {"ORIGIN", 'O'},
    {"ORIGIN_TIME", 'O'},
    {"ARCHIVE", 'a'},
    {"ARCHIVE_LIST", kArchiveList},
    {"FOLIO", kArchiveFolio},
    {"HOST", 'h'},
    {"HOST_LIST", kHostList},
    {"SPECLOCAL", 'K'},
    {"LOCALMODE", 'L'},
    {"LOCALPMDA", 'L'},
    {"NAMESPACE", 'n'},
    {"UNIQNAMES", 'N'},
    {"INTERVAL", 't'},
    {"SAMPLES", 's'},
    {"TIMEZONE", 'Z'},
    {"HOSTZONE", 'z'},
    {"GUIMODE", 'g'},
    {"GUIPORT", 'p'},
    {"DEBUG", 'D'},
};
struct NamedOption {
  std::string_view name;
  int option;
};
constexpr NamedOption kLongOnly[] = {{PMLONGOPT_ARCHIVE_LIST, kArchiveList},
                                     {PMLONGOPT_ARCHIVE_FOLIO, kArchiveFolio},
                                     {PMLONGOPT_HOST_LIST, kHostList},
                                     {PMLONGOPT_CONTAINER, kContainer},
                                     {PMLONGOPT_DERIVED, kDerived}};

// Lists that pmFreeOptions() frees.
void append_name(char**& names, int& count, const char* name) {
  char* const copy = give_text(name);
  auto** more =
      static_cast<char**>(std::realloc(names, (static_cast<size_t>(count) + 1) * sizeof(char*)));
  if (more == nullptr) {
    std::free(copy);
    throw std::bad_alloc();
  }
  names = more;
  names[count++] = copy;
}

void set_interval(pmOptions& opts, const char* text) {
  const bool fine = has_nanoseconds(opts);
  const auto interval = parse_interval<NanoTime>(text);
  if (!interval) {
    refuse_option(opts, fmt::format("-t argument not in {}(3) format:\n{}",
                                    fine ? "pmParseHighResInterval" : "pmParseInterval",
                                    interval.error().what()));
  } else if (fine) {
    put_parts(*interval, nanoseconds_of(opts).interval);
  } else {
    put_parts(*parse_interval<MicroTime>(text), opts.interval);
  }
}

void set_samples(pmOptions& opts, const char* text) {
  char* end = nullptr;
  opts.samples = static_cast<int>(std::strtol(text, &end, 10));
  if (*end != '\0' || opts.samples < 0) {
    refuse_option(opts, "-s requires a positive numeric argument");
  }
}

void load_option_names(pmOptions& opts, const char* path, bool unique) {
  const int code = pmLoadASCIINameSpace(path, unique ? 0 : 1);
  if (code < 0) {
    return fail_options(
        opts, fmt::format("Cannot load namespace from \"{}\": {}", path, pm_error_text(code)));
  }
  opts.nsflag = 1;
}

void set_zone(pmOptions& opts, char* name) {
  if (opts.tzflag != 0) return refuse_option(opts, "at most one of -Z and -z allowed");
  opts.timezone = name;
}
void set_host_zone(pmOptions& opts) {
  if (opts.timezone != nullptr) return refuse_option(opts, "at most one of -Z and -z allowed");
  opts.tzflag = 1;
}
void set_gui_mode(pmOptions& opts) {
  if (opts.guiport_optarg != nullptr) {
    return refuse_option(opts, "at most one of -g and -p allowed");
  }
  opts.guiflag = 1;
}
void set_gui_port(pmOptions& opts, char* port) {
  if (opts.guiflag != 0) return refuse_option(opts, "at most one of -g and -p allowed");
  opts.guiport_optarg = port;
  char* end = nullptr;
  const int number = static_cast<int>(std::strtol(port, &end, 10));
  opts.guiport = *end == '\0' && number > 0 ? number : 0;
}

void load_option_definitions(pmOptions& opts, const char* path) {
  const int code = pmLoadDerivedConfig(path);
  if (code < 0) {
    refuse_option(opts, fmt::format("pmLoadDerivedConfig failed: {}", pm_error_text(code)));
  }
}

void add_agents(pmOptions& opts, const char* spec) {
  if (const char* why = pmSpecLocalPMDA(spec)) {
    refuse_option(opts, fmt::format("pmSpecLocalPMDA failed: {}", why));
  }
}

// The first word of each line. libpcp reads 62 bytes at a time, and takes more for another line.
void add_hosts_file(pmOptions& opts, const char* path) {
  if ((opts.flags & PM_OPTFLAG_MIXED) == 0 && opts.narchives > 0) {
    return refuse_option(opts, "only one of hosts or archives allowed");
  }
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "r"), &std::fclose);
  if (file == nullptr) {
    return fail_options(opts,
                        fmt::format("cannot open hosts file {}: {}", path, pm_error_text(-errno)));
  }
  char line[63];
  while (std::fgets(line, sizeof line, file.get()) != nullptr) {
    const std::string_view rest = line + std::strspn(line, " \t\v\f\r");
    if (rest.starts_with('\n') || rest.starts_with('#')) continue;
    if ((opts.flags & PM_OPTFLAG_MULTI) == 0 && opts.nhosts > 0) {
      return refuse_option(opts, fmt::format("too many hosts requested: {}", path));
    }
    const std::string name(rest.substr(0, rest.find_first_of(" \t\n\v\f\r#")));
    append_name(opts.hosts, opts.nhosts, name.c_str());
  }
}

// True: it is a standard option, and has been dealt with.
bool apply_standard(pmOptions& opts, int option, char* argument) {
  static char nothing[] = "";
  char* const text = argument == nullptr ? nothing : argument;
  switch (option) {
    case 'A': opts.align_optarg = text; break;
    case 'a': add_archive_option(opts, text); break;
    case 'D':
      if (pmSetDebug(text) < 0) {
        refuse_option(opts, fmt::format("unrecognized debug options specification ({})", text));
      }
      break;
    case 'g': set_gui_mode(opts); break;
    case 'H': add_hosts_file(opts, text); break;
    case 'h': add_host_option(opts, text); break;
    case 'K': add_agents(opts, text); break;
    case 'L': opts.Lflag = 1; break;
    case 'N': load_option_names(opts, text, true); break;
    case 'n': load_option_names(opts, text, false); break;
    case 'O': opts.origin_optarg = text; break;
    case 'p': set_gui_port(opts, text); break;
    case 'S': opts.start_optarg = text; break;
    case 's': set_samples(opts, text); break;
    case 'T': opts.finish_optarg = text; break;
    case 't': set_interval(opts, text); break;
    case 'V':
      add_message(fmt::format("{} version {}\n", program_name(), pmGetAPIConfig("pcp_version")));
      opts.flags |= PM_OPTFLAG_EXIT;
      break;
    case 'Z': set_zone(opts, text); break;
    case 'z': set_host_zone(opts); break;
    case '?': ++opts.errors; break;
    case kArchiveList: add_archive_list(opts, text); break;
    case kArchiveFolio: add_folio_option(opts, text); break;
    case kHostList: add_host_list(opts, text); break;
    case kContainer: set_variable("PCP_CONTAINER", text); break;
    case kDerived: load_option_definitions(opts, text); break;
    default: return false;
  }
  return true;
}

// Is the letter one of a standard option in this program?
bool is_standard_letter(int letter) {
  if (letter == '?') return true;
  return letter > 0 && std::strchr("AaDgHhKLNnOpSsTtVZz", letter) != nullptr;
}

void read_variables(pmOptions& opts) {
  constexpr std::string_view kPrefix = "PCP_";
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string_view name = *entry;
    char* const equals = std::strchr(*entry, '=');
    if (equals == nullptr || !name.starts_with(kPrefix)) continue;
    name = name.substr(kPrefix.size(), static_cast<size_t>(equals - *entry) - kPrefix.size());
    const auto found = std::ranges::find(kOptionVariables, name, &OptionVariable::name);
    if (found == std::end(kOptionVariables)) continue;
    if (found->option == 'D' && pmSetDebug(equals + 1) < 0) {
      std::fprintf(stderr, "Error: $PCP_DEBUG=%s is not valid, ignored\n", equals + 1);
    }
    // The program's override hears of the command line alone.
    (void)apply_standard(opts, found->option, equals + 1);
  }
}

void start_options(int argc, char* const* argv, pmOptions& opts) {
  if (opts.version != PMAPI_VERSION_3) opts.version = PMAPI_VERSION_2;
  if (argc > 0 && argv != nullptr && argv[0] != nullptr) pmSetProgname(argv[0]);
  opts.flags |= PM_OPTFLAG_INIT;
  read_variables(opts);
}

// The next option, dealt with if it is a standard one. True: it is the program's.
bool take_option(pmOptions& opts, int option) {
  // It hears of the program's own options, too.
  if (opts.override != nullptr && opts.override(option, &opts) != 0) return true;
  if (option == 0 && opts.long_options != nullptr) {
    const std::string_view name = opts.long_options[opts.index].long_opt;
    const auto found = std::ranges::find(kLongOnly, name, &NamedOption::name);
    if (found == std::end(kLongOnly)) return true;
    return !apply_standard(opts, found->option, opts.optarg);
  }
  if (!is_standard_letter(option)) return true;
  return !apply_standard(opts, option, opts.optarg);
}

}  // namespace

namespace pmjit {

void refuse_option(pmOptions& opts, const std::string& why) {
  add_message(fmt::format("{}: {}\n", program_name(), why));
  ++opts.errors;
}

void fail_options(pmOptions& opts, const std::string& why) {
  add_message(fmt::format("{}: {}\n", program_name(), why));
  opts.flags |= PM_OPTFLAG_RUNTIME_ERR;
  ++opts.errors;
}

// Whether the list has the names, which may be several, one after the other.
static bool has_names(std::string_view list, std::string_view names) {
  for (size_t at = list.find(names); at != list.npos; at = list.find(names, at + 1)) {
    const size_t end = at + names.size();
    if ((at == 0 || list[at - 1] == ',') && (end == list.size() || list[end] == ',')) return true;
  }
  return false;
}

// Each archive once. Without MULTI all are one, with commas between them.
void add_archive_option(pmOptions& opts, const char* name) {
  if ((opts.flags & PM_OPTFLAG_MIXED) == 0 && opts.nhosts > 0) {
    return refuse_option(opts, "only one host or archive allowed");
  }
  const bool multi = (opts.flags & PM_OPTFLAG_MULTI) != 0;
  for (int i = 0; i < opts.narchives; ++i) {
    const std::string_view known = opts.archives[i];
    if (multi ? known == name : has_names(known, name)) return;
  }
  if (multi || opts.narchives == 0) return append_name(opts.archives, opts.narchives, name);
  char* const joined = give_text(fmt::format("{},{}", opts.archives[0], name));
  std::free(opts.archives[0]);
  opts.archives[0] = joined;
}

void add_host_option(pmOptions& opts, const char* name) {
  if ((opts.flags & PM_OPTFLAG_MIXED) == 0 && opts.narchives > 0) {
    return refuse_option(opts, "only one host or archive allowed");
  }
  if ((opts.flags & PM_OPTFLAG_MULTI) == 0 && opts.nhosts > 0) {
    return refuse_option(opts, fmt::format("too many hosts requested: {}", name));
  }
  append_name(opts.hosts, opts.nhosts, name);
}

namespace {

template <class Add>
void for_each_name(std::string_view names, Add&& add) {
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    add(std::string(names.substr(0, comma)));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
}

}  // namespace

void add_archive_list(pmOptions& opts, const char* names) {
  if ((opts.flags & PM_OPTFLAG_MULTI) == 0) return add_archive_option(opts, names);
  for_each_name(names, [&](const std::string& name) { add_archive_option(opts, name.c_str()); });
}

// A list of hosts where one is allowed is taken all the same, and refused.
void add_host_list(pmOptions& opts, const char* names) {
  if ((opts.flags & PM_OPTFLAG_MIXED) == 0 && opts.narchives > 0) {
    return refuse_option(opts, "only one of hosts or archives allowed");
  }
  const int before = opts.nhosts;
  for_each_name(
      names, [&](const std::string& name) { append_name(opts.hosts, opts.nhosts, name.c_str()); });
  if ((opts.flags & PM_OPTFLAG_MULTI) == 0 && (before > 0 || opts.nhosts > 1)) {
    refuse_option(opts, fmt::format("too many hosts requested: {}", names));
  }
}

void add_folio_option(pmOptions& opts, const char* path) {
  if (*path == '\0') return refuse_option(opts, "cannot open empty archive folio name");
  const auto folio = read_folio(path);
  if (!folio) return fail_options(opts, folio.error().what());
  for (const FolioEntry& entry : *folio) add_archive_option(opts, entry.archive.c_str());
}

void add_own_archives(pmOptions& opts) {
  const char* folder = pmGetOptionalConfig("PCP_ARCHIVE_DIR");
  add_archive_option(
      opts,
      fmt::format("{}/{}", folder != nullptr ? folder : "/var/log/pcp/pmlogger", local_host_name())
          .c_str());
}

void end_options(pmOptions& opts) {
  if ((opts.flags & PM_OPTFLAG_DONE) != 0) return;
  opts.flags |= PM_OPTFLAG_DONE;
  if (opts.Lflag != 0) {
    opts.context = PM_CONTEXT_LOCAL;
  } else if (opts.nhosts > 0 && opts.narchives == 0) {
    opts.context = PM_CONTEXT_HOST;
  } else if (opts.narchives > 0 && opts.nhosts == 0) {
    opts.context = PM_CONTEXT_ARCHIVE;
  }
  if (opts.origin_optarg != nullptr && opts.context == 0) {
    add_own_archives(opts);
    opts.context = PM_CONTEXT_ARCHIVE;
  }
  const bool window =
      opts.start_optarg != nullptr || opts.align_optarg != nullptr || opts.origin_optarg != nullptr;
  // Also of a program that takes hosts and archives together (PM_OPTFLAG_MIXED), where both are
  // given.
  if (window && opts.context != PM_CONTEXT_ARCHIVE) {
    refuse_option(opts, "time window options are supported for archives only");
  }
  const bool has_zone = opts.context == PM_CONTEXT_HOST || opts.context == PM_CONTEXT_ARCHIVE;
  if (opts.tzflag != 0 && !has_zone) {
    refuse_option(opts, "use of timezone from metric source requires a source");
  }
  // No usage text behind a message that says what failed.
  if (opts.errors > 0 && (opts.flags & PM_OPTFLAG_RUNTIME_ERR) == 0) {
    opts.flags |= PM_OPTFLAG_USAGE_ERR;
  }
}

}  // namespace pmjit

int pmGetOptions(int argc, char* const* argv, pmOptions* opts) {
  if (opts == nullptr) return EOF;
  return at_c_border_or(EOF, [&] {
    if ((opts->flags & PM_OPTFLAG_INIT) == 0) start_options(argc, argv, *opts);
    while ((opts->flags & PM_OPTFLAG_ENV_ONLY) == 0) {
      const int option = pmgetopt_r(argc, argv, opts);
      if (option == EOF) break;
      if (take_option(*opts, option)) return option;
    }
    end_options(*opts);
    return EOF;
  });
}

void pmFreeOptions(pmOptions* opts) {
  if (opts == nullptr) return;
  for (int i = 0; i < opts->nhosts; ++i) std::free(opts->hosts[i]);
  for (int i = 0; i < opts->narchives; ++i) std::free(opts->archives[i]);
  std::free(opts->hosts);
  std::free(opts->archives);
  opts->hosts = opts->archives = nullptr;
  opts->nhosts = opts->narchives = 0;
}
