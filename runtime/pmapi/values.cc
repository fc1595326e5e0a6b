// Values: out of their wrapping, in other units, printed; event records. Source: spec pmapi.md §15,
// §16.6, §17.
#include <memory>
#include <vector>

#include "runtime/model/event_array.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/library.h"
#include "runtime/text/print_value.h"

using namespace pmjit;

namespace {

char* give_extracted_text(const Atom& atom) {
  const auto* bytes = reinterpret_cast<const char*>(atom.bytes.data());
  return give_text({bytes, atom.bytes.size()});
}

pmValueBlock* give_block(const Atom& atom) {
  const size_t bytes = PM_VAL_HDR_SIZE + atom.bytes.size();
  auto* out = static_cast<pmValueBlock*>(give_bytes(std::max(bytes, sizeof(pmValueBlock))));
  out->vtype = atom.block_type;
  out->vlen = static_cast<unsigned>(bytes) & PM_VAL_VLEN_MAX;
  std::memcpy(out->vbuf, atom.bytes.data(), atom.bytes.size());
  return out;
}

// Which formats there are: anything else cannot be converted.
bool is_format(int valfmt) { return valfmt >= PM_VAL_INSITU && valfmt <= PM_VAL_SPTR; }

// A result per record, and a list of them. The parameters' sets are given as those of a fetch are.
Fetched result_of(const EventRecord& record, std::span<const PmId, 2> of_flags) {
  Fetched out{.stamp = record.stamp};
  const auto add_number = [&](PmId pmid, uint32_t word) {
    out.sets.push_back({.pmid = pmid,
                        .count = 1,
                        .format = ValueFormat::in_place,
                        .values = {{.instance = kSingular, .word = word}}});
  };
  if (record.flags != 0) add_number(of_flags[0], record.flags);
  if ((record.flags & kEventMissed) != 0) {
    add_number(of_flags[1], static_cast<uint32_t>(record.missed));
  }
  for (const EventParameter& parameter : record.parameters) {
    Value value = parameter.value;
    value.instance = kSingular;
    out.sets.push_back(
        {.pmid = parameter.pmid, .count = 1, .format = parameter.format, .values = {value}});
  }
  return out;
}

void free_results(void** results) {
  if (results == nullptr) return;
  for (void** result = results; *result != nullptr; ++result) free_result(*result);
  std::free(results);
}

// What the metrics for flags and for missed records are called in this process.
void find_flag_metrics(PmId (&out)[2]) {
  Library& library = the_library();
  library.begin_derived();
  const std::shared_lock shared(library.definitions);
  out[0] = library.derived->look_up("event.flags").value_or(kNullId);
  out[1] = library.derived->look_up("event.missed").value_or(kNullId);
}

// What libpcp writes to stderr about a set that holds no such records.
void tell_refused(const pmValueSet& set, int index, int type, int code) {
  const bool is_block = set.valfmt == PM_VAL_DPTR || set.valfmt == PM_VAL_SPTR;
  const pmValue& value = set.vlist[index];
  if (is_block && value.value.pval == nullptr) return;
  const bool is_type = is_block && value.value.pval->vtype == static_cast<unsigned>(type);
  if (is_type && code != PM_ERR_TOOSMALL) return;
  std::string out = fmt::format("Event Records Dump ...\nPMID: {} numval: {} valfmt: {}",
                                pmid_text(set.pmid), set.numval, set.valfmt);
  if (is_block && value.inst != static_cast<int>(PM_IN_NULL))
    out += fmt::format(" inst: {}", value.inst);
  if (!is_block) {
    out += "\nError: bad valfmt\n";
  } else {
    const pmValueBlock& block = *value.value.pval;
    char name[20];
    out += fmt::format(" vtype: {} vlen: {}\n",
                       pmTypeStr_r(static_cast<int>(block.vtype), name, sizeof name),
                       static_cast<unsigned>(block.vlen));
    if (!is_type) {
      out += type == PM_TYPE_EVENT ? "Error: bad vtype\n" : "Error: bad highres vtype\n";
    } else {
      int32_t count = 0;
      std::memcpy(&count, block.vbuf, sizeof count);
      out += fmt::format("nrecords: {}\nError: bad nrecords\n", count);
    }
  }
  std::fputs(out.c_str(), stderr);
}

// A set without values: how many there are, or why there are none.
int unpack_nothing(const pmValueSet& set, void*** out) {
  if (set.numval == 0 && out != nullptr) *out = nullptr;
  if (set.numval < 0) {
    std::fprintf(stderr, "Event Records Dump ...\nPMID: %s numval: %d\nError: bad numval\n",
                 pmid_text(set.pmid).c_str(), set.numval);
  }
  return set.numval;
}

int unpack_records(const pmValueSet* set, int index, void*** out, bool nanoseconds) {
  if (set == nullptr) return -EINVAL;
  if (set->numval < 1 && index >= 0) return unpack_nothing(*set, out);
  const bool is_block = set->valfmt == PM_VAL_DPTR || set->valfmt == PM_VAL_SPTR;
  if (out == nullptr || index < 0 || index >= set->numval) return is_block ? -EINVAL : PM_ERR_CONV;
  return at_c_border([&] {
    const int type = nanoseconds ? PM_TYPE_HIGHRES_EVENT : PM_TYPE_EVENT;
    const auto records = unpack_events(static_cast<ValueFormat>(set->valfmt),
                                       value_of(set->valfmt, set->vlist[index]), type);
    if (!records) {
      tell_refused(*set, index, type, records.error());
      return records.error();
    }
    if (records->empty()) {
      *out = nullptr;
      return 0;
    }
    PmId of_flags[2];
    find_flag_metrics(of_flags);
    auto** list = static_cast<void**>(give_bytes((records->size() + 1) * sizeof(void*)));
    std::memset(list, 0, (records->size() + 1) * sizeof(void*));
    const std::unique_ptr<void*, void (*)(void**)> owned(list, free_results);
    for (size_t i = 0; i < records->size(); ++i) {
      list[i] = give_result(result_of((*records)[i], of_flags), nanoseconds);
    }
    *out = list;
    (void)const_cast<std::unique_ptr<void*, void (*)(void**)>&>(owned).release();
    return static_cast<int>(records->size());
  });
}

}  // namespace

int pmExtractValue(int valfmt, const pmValue* value, int from, pmAtomValue* out, int to) {
  if (out == nullptr) return -EINVAL;
  out->ll = 0;
  if (value == nullptr || !is_format(valfmt)) return PM_ERR_CONV;
  if (valfmt != PM_VAL_INSITU && value->value.pval == nullptr) return PM_ERR_CONV;
  return at_c_border([&] {
    const auto atom = atom_of(static_cast<ValueFormat>(valfmt), from, value_of(valfmt, *value), to);
    if (!atom) return atom.error();
    if (to == PM_TYPE_STRING) {
      out->cp = give_extracted_text(*atom);
    } else if (to == PM_TYPE_AGGREGATE || to == PM_TYPE_AGGREGATE_STATIC) {
      out->vbp = give_block(*atom);
    } else if (to == PM_TYPE_32 || to == PM_TYPE_U32 || to == PM_TYPE_FLOAT) {
      out->ul = atom->u32;  // the other half of the union stays 0
    } else {
      out->ull = atom->u64;
    }
    return 0;
  });
}

int pmConvScale(int type, const pmAtomValue* in, const pmUnits* from, pmAtomValue* out,
                const pmUnits* to) {
  if (in == nullptr || from == nullptr || out == nullptr || to == nullptr) return -EINVAL;
  return at_c_border([&] {
    Atom atom;
    atom.u64 = in->ull;
    const auto scaled = scaled_atom(type, atom, units_of(*from), units_of(*to));
    if (!scaled) return scaled.error();
    const bool of_4 = type == PM_TYPE_32 || type == PM_TYPE_U32 || type == PM_TYPE_FLOAT;
    if (of_4) {
      out->ul = scaled->u32;
    } else {
      out->ull = scaled->u64;
    }
    return 0;
  });
}

void pmPrintValue(FILE* file, int valfmt, int type, const pmValue* value, int min_width) {
  if (file == nullptr || value == nullptr) return;
  (void)at_c_border([&] {
    if (!is_format(valfmt)) return std::fprintf(file, "pmPrintValue: bad valfmt (%d)?\n", valfmt);
    std::string text;
    const Zone zone = the_library().zones.zone();
    append_value(text, static_cast<ValueFormat>(valfmt), type, value_of(valfmt, *value),
                 {.min_width = min_width, .zone = zone});
    return static_cast<int>(std::fwrite(text.data(), 1, text.size(), file));
  });
}

int pmUnpackEventRecords(pmValueSet* set, int index, pmResult*** out) {
  return unpack_records(set, index, reinterpret_cast<void***>(out), false);
}
int pmUnpackHighResEventRecords(pmValueSet* set, int index, pmHighResResult*** out) {
  return unpack_records(set, index, reinterpret_cast<void***>(out), true);
}
void pmFreeEventResult(pmResult** results) {
  (void)at_c_border([&] { return free_results(reinterpret_cast<void**>(results)), 0; });
}
void pmFreeHighResEventResult(pmHighResResult** results) {
  (void)at_c_border([&] { return free_results(reinterpret_cast<void**>(results)), 0; });
}
