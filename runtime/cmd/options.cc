#include "runtime/cmd/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <utility>

#include "runtime/archive/format/names.h"
#include "runtime/base/local_host.h"
#include "runtime/client/local_module.h"
#include "runtime/cmd/arguments.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

std::string program_name(int argc, const char* const* argv) {
  const std::string_view path = argc > 0 ? argv[0] : "";
  return std::string(path.substr(path.rfind('/') + 1));
}

OptionReader::OptionReader(const OptionTable& table, int argc, const char* const* argv,
                           DerivedMetrics& derived)
    : table_(table),
      derived_(derived),
      messages_(program_name(argc, argv)),
      arguments_(table, argc, argv) {
  // Each is flushed when it is told.
  derived_.tell([this](std::string_view text) {
    messages_.add(text);
    messages_.flush();
  });
  // The library says this when it starts, before any option is looked at.
  const char* debug = std::getenv("PCP_DEBUG");
  if (debug != nullptr && !is_debug_spec(debug)) {
    fmt::print(stderr, "Error: $PCP_DEBUG={} is not valid, ignored\n", debug);
  }
  read_environment();
}

void OptionReader::read_environment() {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = std::min(text.find('='), text.size());
    if (const auto option = option_of_variable(text.substr(0, equals))) {
      apply(*option, std::string(text.substr(std::min(equals + 1, text.size()))));
    }
  }
}

std::optional<OptionReader::Own> OptionReader::next() {
  while (auto found = arguments_.next()) {
    if (found->row == nullptr) {
      complain(found->mistake);
    } else if (found->row->standard == Standard::none) {
      return found;
    } else {
      apply(found->row->standard, found->argument);
    }
  }
  return std::nullopt;
}

void OptionReader::complain(std::string_view text) {
  messages_.complain(text);
  usage_error_ = true;
}

void OptionReader::fail(std::string_view text) {
  messages_.complain(text);
  runtime_error_ = true;
}

void OptionReader::apply(Standard which, const std::string& argument) {
  Options& o = options_;
  switch (which) {
    case Standard::none:
    case Standard::hosts_file: return;  // of live hosts only
    case Standard::container: o.container = argument; return;
    case Standard::align: o.align = argument; return;
    case Standard::archive:
    case Standard::archive_list: return add_archive(argument);
    case Standard::archive_folio: return add_folio(argument);
    case Standard::debug:
      if (!is_debug_spec(argument)) {
        complain(fmt::format("unrecognized debug options specification ({})", argument));
      }
      return;
    case Standard::gui_mode:
      if (o.gui_port) return complain("at most one of -g and -p allowed");
      o.gui = true;
      return;
    case Standard::gui_port:
      if (o.gui) return complain("at most one of -g and -p allowed");
      o.gui_port = argument;
      return;
    case Standard::host:
    case Standard::host_list: return add_host(argument);
    case Standard::spec_local: return change_agents(argument);
    case Standard::local: o.local = true; return;
    case Standard::name_space: return load_name_space(argument, SameMetric::allowed);
    case Standard::unique_names: return load_name_space(argument, SameMetric::refused);
    case Standard::origin: o.origin = argument; return;
    case Standard::start: o.start = argument; return;
    case Standard::samples: return set_samples(argument);
    case Standard::finish: o.finish = argument; return;
    case Standard::interval: return set_interval(argument);
    case Standard::version:
      messages_.add(fmt::format("{} version {}\n", messages_.program(), kPcpVersion));
      exit_ = true;
      return;
    case Standard::zone:
      if (o.host_zone) return complain("at most one of -Z and -z allowed");
      o.zone = argument;
      return;
    case Standard::host_zone:
      if (o.zone) return complain("at most one of -Z and -z allowed");
      o.host_zone = true;
      return;
    case Standard::help: usage_error_ = true; return;
    case Standard::derived:
      if (const auto loaded = derived_.load(argument); !loaded) {
        complain(fmt::format("pmLoadDerivedConfig failed: {}", pm_error_text(loaded.error())));
      }
      return;
  }
}

void OptionReader::apply_source(SourceKind kind, const std::string& source) {
  constexpr Standard kOptions[] = {Standard::host, Standard::archive, Standard::local};
  if (kind == SourceKind::host) options_.hosts.clear();
  apply(kOptions[static_cast<size_t>(kind)], source);
}

void OptionReader::add_archive(const std::string& name) {
  if (!table_.hosts_and_archives && !options_.hosts.empty()) {
    return complain("only one host or archive allowed");
  }
  if (std::ranges::find(archives_, name) == archives_.end()) archives_.push_back(name);
}

void OptionReader::add_folio(const std::string& path) {
  const auto folio = read_folio(path);
  if (!folio) return fail(folio.error().what());
  for (const FolioEntry& entry : *folio) add_archive(entry.archive);
}

void OptionReader::add_host(const std::string& name) {
  if (!table_.hosts_and_archives && !archives_.empty()) {
    return complain("only one host or archive allowed");
  }
  if (!table_.several_hosts && !options_.hosts.empty()) {
    return complain(fmt::format("too many hosts requested: {}", name));
  }
  options_.hosts.push_back(name);
}

void OptionReader::set_samples(const std::string& text) {
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (*end != '\0' || number < 0) return complain("-s requires a positive numeric argument");
  options_.samples = static_cast<int>(number);  // as the reference: its low 32 bits
}

void OptionReader::set_interval(const std::string& text) {
  const auto interval = parse_interval<NanoTime>(text);
  if (!interval) {
    return complain(fmt::format("-t argument not in pmParseHighResInterval(3) format:\n{}",
                                interval.error().what()));
  }
  options_.interval = *interval;
}

void OptionReader::change_agents(const std::string& spec) {
  const auto module = load_local();
  if (!module) return fail(module.error().text());
  const std::string wrong = (*module)->change_agents(spec);
  if (!wrong.empty()) complain("pmSpecLocalPMDA failed: " + wrong);
}

void OptionReader::load_name_space(const std::string& path, SameMetric same) {
  int code = pm_err::E_DUPPMNS;
  if (!options_.name_space) {
    auto file = std::make_shared<NameSpaceFile>(read_name_space(path, same));
    fmt::print(stderr, "{}", file->preprocessing);
    messages_.add(file->messages);
    code = file->code;
    if (code == 0) {
      options_.name_space = std::move(file);
      return;
    }
  }
  fail(fmt::format("Cannot load namespace from \"{}\": {}", path, pm_error_text(code)));
}

// -O without a source means the archives that this host records of itself.
void OptionReader::use_own_archives() {
  const char* folder = std::getenv("PCP_ARCHIVE_DIR");
  archives_.push_back(fmt::format("{}/{}", folder != nullptr ? folder : "/var/log/pcp/pmlogger",
                                  local_host_name()));
}

void OptionReader::check_together() {
  const Options& o = options_;
  const bool archives = !archives_.empty() && !o.local;
  if ((o.start || o.align || o.origin) && !archives) {
    complain("time window options are supported for archives only");
  }
  if (o.host_zone && (o.local || (archives_.empty() && o.hosts.empty()))) {
    complain("use of timezone from metric source requires a source");
  }
}

const Options& OptionReader::finish() {
  gather();
  if (!over()) check_together();
  return options_;
}

const Options& OptionReader::gather() {
  Options& o = options_;
  o.operands = arguments_.operands();
  if (table_.archive_operand) {
    if (archives_.empty() && !o.operands.empty()) {
      add_archive(o.operands.front());
      o.operands.erase(o.operands.begin());
    }
    if (archives_.empty()) usage_error_ = true;
  }
  if (o.origin && archives_.empty() && o.hosts.empty() && !o.local) use_own_archives();
  for (const std::string& archive : archives_) {
    o.archives += (o.archives.empty() ? "" : ",") + archive;
  }
  if (o.local) {
    o.source = SourceKind::local;
  } else if (!o.hosts.empty()) {
    o.source = SourceKind::host;
  } else if (!archives_.empty()) {
    o.source = SourceKind::archive;
  }
  return o;
}

int OptionReader::usage() {
  if (!runtime_error_ && !exit_) messages_.add(usage_text(messages_.program(), table_));
  messages_.flush();
  return exit_ ? 0 : 1;
}

// Names are views into the file.
std::shared_ptr<const NameSpace> local_names(const Options& options) {
  if (!options.name_space) return nullptr;
  struct Owned {
    NameSpace names;
    std::shared_ptr<const NameSpaceFile> file;
  };
  auto owned = std::make_shared<Owned>();
  owned->file = options.name_space;
  for (const NamedMetric& leaf : owned->file->leaves | std::views::reverse) {
    owned->names.add(leaf.name, leaf.pmid);
  }
  return {owned, &owned->names};
}

void use_local_names(const Options& options, LocalNames which, Archives& archives) {
  if (!options.name_space) return;
  NameSpace names;
  // The newest child is listed first.
  for (const NamedMetric& leaf : options.name_space->leaves | std::views::reverse) {
    if (which == LocalNames::described && archives.metadata().desc(leaf.pmid) == nullptr) continue;
    names.add(leaf.name, leaf.pmid);
  }
  archives.use_names(std::move(names), options.name_space);
}

}  // namespace pmjit
