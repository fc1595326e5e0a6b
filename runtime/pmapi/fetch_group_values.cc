// Values on their way from a fetch to the variables of a program. Source: spec pmapi.md §18.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "runtime/pmapi/fetch_group.h"
#include "runtime/text/float_text.h"

using namespace pmjit;

namespace {

// Seconds of each PM_TIME_*.
constexpr double kSecondsOf[] = {1e-9, 1e-6, 1e-3, 1, 60, 3600};

double seconds_of_scale(unsigned scale) {
  return scale < std::size(kSecondsOf) ? kSecondsOf[scale] : 1;
}

bool equal_dimensions(const pmUnits& a, const pmUnits& b) {
  return a.dimSpace == b.dimSpace && a.dimTime == b.dimTime && a.dimCount == b.dimCount;
}

double number_of(int type, const pmAtomValue& atom) {
  switch (type) {
    case PM_TYPE_32: return atom.l;
    case PM_TYPE_U32: return atom.ul;
    case PM_TYPE_64: return static_cast<double>(atom.ll);
    case PM_TYPE_U64: return static_cast<double>(atom.ull);
    case PM_TYPE_FLOAT: return static_cast<double>(atom.f);
    default: return atom.d;
  }
}

// A value as a number of its type; a text as a DOUBLE, if it is one.
int read_number(int type, int valfmt, const pmValue& value, double& out, pmAtomValue& atom) {
  const int code = pmExtractValue(valfmt, &value, type, &atom, type);
  if (code < 0) return code;
  if (type != PM_TYPE_STRING) {
    out = number_of(type, atom);
    return 0;
  }
  const auto read = atom_from_text(PM_TYPE_DOUBLE, atom.cp);
  std::free(atom.cp);
  if (!read) return read.error();
  out = read->f64;
  return 0;
}

// A text as it is, or as a number of the type that the caller wants.
int put_group_text(__pmFetchGroup& group, int valfmt, const pmValue& value, int otype,
                   pmAtomValue& out) {
  pmAtomValue text;
  const int code = pmExtractValue(valfmt, &value, PM_TYPE_STRING, &text, PM_TYPE_STRING);
  if (code < 0) return code;
  const std::string kept = text.cp;
  std::free(text.cp);
  if (otype == PM_TYPE_STRING) {
    out.cp = group.keep(kept);
    return 0;
  }
  const auto number = atom_from_text(otype, kept);
  if (!number) return number.error();
  out.ull = number->u64;
  return 0;
}

// A number in the type that the caller wants.
int put_number(__pmFetchGroup& group, double number, int otype, pmAtomValue& out) {
  if (otype == PM_TYPE_STRING) {
    out.cp = group.keep(fmt::format("{:.17e}", number));
    return 0;
  }
  alignas(8) char room[16];
  auto* block = reinterpret_cast<pmValueBlock*>(room);
  block->vtype = PM_TYPE_DOUBLE;
  block->vlen = PM_VAL_HDR_SIZE + sizeof number;
  std::memcpy(block->vbuf, &number, sizeof number);
  pmValue value{};
  value.value.pval = block;
  return pmExtractValue(PM_VAL_DPTR, &value, PM_TYPE_DOUBLE, &out, otype);
}

std::string text_of(int type, const pmAtomValue& atom) {
  switch (type) {
    case PM_TYPE_32: return fmt::format("{}", atom.l);
    case PM_TYPE_U32: return fmt::format("{}", atom.ul);
    case PM_TYPE_64: return fmt::format("{}", atom.ll);
    case PM_TYPE_U64: return fmt::format("{}", atom.ull);
    case PM_TYPE_FLOAT: return fmt::format("{:.9e}", static_cast<double>(atom.f));
    default: return fmt::format("{:.17e}", atom.d);
  }
}

int scaled_number(const GroupConversion& how, double number, double& out) {
  if (how.from) {
    pmAtomValue value;
    value.d = number;
    const int code = pmConvScale(PM_TYPE_DOUBLE, &value, &*how.from, &value, &how.to);
    if (code < 0) return code;
    number = value.d;
  }
  out = number * how.multiplier;
  return 0;
}

// How far a counter has gone; below 0: backwards.
double gone_by(int type, const pmAtomValue& now, const pmAtomValue& before, bool wraps) {
  const double by = type == PM_TYPE_U64 && now.ull >= before.ull
                        ? static_cast<double>(now.ull - before.ull)
                        : number_of(type, now) - number_of(type, before);
  if (by >= 0 || !wraps) return by;
  const bool of_32 = type == PM_TYPE_32 || type == PM_TYPE_U32;
  const bool of_64 = type == PM_TYPE_64 || type == PM_TYPE_U64;
  if (of_32) return by + 4294967296.0;
  if (of_64) return by + 18446744073709551616.0;
  return by;
}

}  // namespace

namespace pmjit {

OrPmError<GroupConversion> GroupConversion::of(const pmDesc& desc, const char* scale) {
  GroupConversion out;
  if (scale == nullptr) {
    out.rate = desc.sem == PM_SEM_COUNTER;
    return out;
  }
  if (std::strcmp(scale, "instant") == 0) return out;
  if (std::strcmp(scale, "rate") == 0) {
    out.rate = true;
    return out;
  }
  char* why = nullptr;
  const int code = pmParseUnitsStr(scale, &out.to, &out.multiplier, &why);
  std::free(why);
  if (code < 0) return pm_fail(code);
  out.from = desc.units;
  if (equal_dimensions(desc.units, out.to)) return out;
  out.rate = true;
  if (desc.units.dimTime == 0) {
    out.from->scaleTime = PM_TIME_SEC;
  } else {
    out.per_second = seconds_of_scale(desc.units.scaleTime);
  }
  if (desc.units.dimTime == -8) return pm_fail(pm_err::E_CONV);  // it has four bits
  --out.from->dimTime;
  if (!equal_dimensions(*out.from, out.to)) return pm_fail(pm_err::E_CONV);
  return out;
}

const pmValue* GroupValues::find(int instance) const {
  for (const pmValue& value : values) {
    if (value.inst == instance) return &value;
  }
  return nullptr;
}

void GroupFetch::take(pmHighResResult* fetched) {
  const std::shared_ptr<pmHighResResult> result(fetched, pmFreeHighResResult);
  when = fetched->timestamp;
  for (int i = 0; i < fetched->numpmid; ++i) {
    const pmValueSet& set = *fetched->vset[i];
    GroupValues& out = metrics[set.pmid];
    out.valfmt = set.valfmt;
    out.status = set.numval < 0 ? set.numval : 0;
    out.of = result;
    if (set.numval > 0) out.values.assign(set.vlist, set.vlist + set.numval);
  }
}

void GroupFetch::keep(const GroupFetch& before, const std::unordered_set<pmID>& discrete) {
  for (auto& [pmid, values] : metrics) {
    if (!values.values.empty() || !discrete.contains(pmid)) continue;
    if (const GroupValues* const earlier = before.find(pmid)) values = *earlier;
  }
}

const GroupValues* GroupFetch::find(pmID pmid) const {
  const auto found = metrics.find(pmid);
  return found == metrics.end() ? nullptr : &found->second;
}

bool is_group_type(int type) { return type >= PM_TYPE_32 && type <= PM_TYPE_STRING; }

void put_no_value(int otype, pmAtomValue* out) {
  if (out == nullptr) return;
  out->ull = 0;
  switch (otype) {
    case PM_TYPE_32:
    case PM_TYPE_U32:
    case PM_TYPE_64:
    case PM_TYPE_U64: out->ull = static_cast<uint64_t>(-1); break;
    // Negative, as 0/0 is.
    case PM_TYPE_FLOAT: out->f = -std::numeric_limits<float>::quiet_NaN(); break;
    case PM_TYPE_DOUBLE: out->d = -std::numeric_limits<double>::quiet_NaN(); break;
    default: break;
  }
}

int converted_value(__pmFetchGroup& group, const GroupMetric& metric, int valfmt,
                    const pmValue& value, pmAtomValue& out) {
  const int type = metric.desc.type;
  if (!metric.conversion.from) {
    if (type == PM_TYPE_STRING) return put_group_text(group, valfmt, value, metric.otype, out);
    if (metric.otype != PM_TYPE_STRING) {
      return pmExtractValue(valfmt, &value, type, &out, metric.otype);
    }
  }
  pmAtomValue atom;
  double number = 0, scaled = 0;
  int code = read_number(type, valfmt, value, number, atom);
  if (code < 0) return code;
  if (!metric.conversion.from) {
    out.cp = group.keep(text_of(type, atom));
    return 0;
  }
  code = scaled_number(metric.conversion, number, scaled);
  return code < 0 ? code : put_number(group, scaled, metric.otype, out);
}

int group_value(__pmFetchGroup& group, const GroupMetric& metric, const GroupValues& now,
                const pmValue& value, pmAtomValue& out) {
  if (!metric.conversion.rate) return converted_value(group, metric, now.valfmt, value, out);
  const int type = metric.desc.type;
  pmAtomValue atom_now, atom_before;
  double number = 0, number_before = 0;
  int code = read_number(type, now.valfmt, value, number, atom_now);
  if (code < 0) return code;
  if (group.previous == nullptr) return PM_ERR_AGAIN;
  const GroupValues* const before = group.previous->find(metric.desc.pmid);
  const pmValue* const earlier = before == nullptr ? nullptr : before->find(value.inst);
  if (earlier == nullptr) return PM_ERR_VALUE;
  code = read_number(type, before->valfmt, *earlier, number_before, atom_before);
  if (code < 0) return code;
  // As libpcp has it: no time, and time that goes back, is a nanosecond.
  const double since = pmtimespecSub(&group.latest->when, &group.previous->when);
  const double seconds = std::max(since, 1e-9);
  const double by = metric.desc.sem == PM_SEM_COUNTER
                        ? gone_by(type, atom_now, atom_before, group.wraps)
                        : number - number_before;
  if (by < 0) return PM_ERR_VALUE;
  const double rate = by == 0 ? 0 : by / seconds * metric.conversion.per_second;
  double scaled = 0;
  code = scaled_number(metric.conversion, rate, scaled);
  return code < 0 ? code : put_number(group, scaled, metric.otype, out);
}

}  // namespace pmjit
