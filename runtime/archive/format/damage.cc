#include "runtime/archive/format/damage.h"

#include <fmt/core.h>

namespace pmjit {

namespace {

std::string_view way_out(int pm_code) {
  switch (pm_code) {
    case pm_err::E_LOGREC:
      return "pmlogcheck lists what else is damaged; records before this offset are intact";
    case pm_err::E_LABEL: return "check that all files of the archive come from the same recording";
    case pm_err::E_NODATA: return "nothing was recorded into this archive";
    case pm_err::E_RECTYPE: return "the file is damaged, or was written by a newer version of PCP";
    case pm_err::E_FEATURE: return "the archive was written by a newer version of PCP";
    default: return "record one metric with one meaning in an archive; pmlogrewrite can mend it";
  }
}

}  // namespace

Error damage_error(const std::string& file_name, const Damage& damage) {
  return Error(Fault::format, std::string(damage.what))
      .at("offset", fmt::format("{}", damage.offset))
      .at("file", file_name)
      .pm_code(damage.pm_code)
      .help(std::string(way_out(damage.pm_code)));
}

}  // namespace pmjit
