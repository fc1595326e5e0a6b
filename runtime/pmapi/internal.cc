#include "runtime/pmapi/internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "runtime/pmapi/messages.h"
#include "runtime/pmapi/open_context.h"
#include "runtime/pmapi/options.h"
#include "runtime/text/float_text.h"

using namespace pmjit;

// What programs read that were written before there were functions for it.
namespace {

char g_default_program[] = "pcp";
constexpr size_t kPduKinds = 32;
constexpr const char* kPduNames[] = {
    "ERROR",        "RESULT",   "PROFILE",       "FETCH",          "DESC_REQ",      "DESC",
    "INSTANCE_REQ", "INSTANCE", "TEXT_REQ",      "TEXT",           "CONTROL_REQ",   "DATA_X",
    "CREDS",        "PMNS_IDS", "PMNS_NAMES",    "PMNS_CHILD",     "PMNS_TRAVERSE", "ATTR",
    "LABEL_REQ",    "LABEL",    "HIGHRES_FETCH", "HIGHRES_RESULT", "DESC_IDS",      "DESCS"};
unsigned g_pdus_in[kPduKinds], g_pdus_out[kPduKinds];

}  // namespace

char* pmProgname = g_default_program;
int pmDebug = 0;
unsigned int* __pmPDUCntIn = g_pdus_in;
unsigned int* __pmPDUCntOut = g_pdus_out;

namespace {

template <class Change>
void change_options(pmOptions* opts, Change&& change) {
  if (opts == nullptr) return;
  (void)at_c_border([&] { return change(*opts), 0; });
}
template <class Change>
void change_options(pmOptions* opts, const char* text, Change&& change) {
  if (text != nullptr) change_options(opts, [&](pmOptions& of) { change(of, text); });
}

// A value and the bytes that its block has.
std::string_view block_bytes(const pmAtomValue& atom, int type) {
  switch (type) {
    case PM_TYPE_FLOAT: return {reinterpret_cast<const char*>(&atom.f), sizeof atom.f};
    case PM_TYPE_STRING: return {atom.cp, std::strlen(atom.cp) + 1};
    default: return {reinterpret_cast<const char*>(&atom.ull), sizeof atom.ull};
  }
}

}  // namespace

void __pmAddOptArchive(pmOptions* opts, char* name) {
  change_options(opts, name, add_archive_option);
}
void __pmAddOptArchiveFolio(pmOptions* opts, char* path) {
  change_options(opts, path, add_folio_option);
}
void __pmAddOptArchiveList(pmOptions* opts, char* names) {
  change_options(opts, names, add_archive_list);
}
void __pmAddOptArchivePath(pmOptions* opts) { change_options(opts, add_own_archives); }
void __pmAddOptContainer(pmOptions*, char* name) {
  if (name != nullptr) set_variable("PCP_CONTAINER", name);
}
void __pmAddOptHost(pmOptions* opts, char* name) { change_options(opts, name, add_host_option); }
void __pmAddOptHostList(pmOptions* opts, char* names) {
  change_options(opts, names, add_host_list);
}
void __pmEndOptions(pmOptions* opts) { change_options(opts, end_options); }

int __pmStringValue(const char* text, pmAtomValue* out, int type) {
  if (text == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    const auto atom = atom_from_text(type, text);
    if (!atom) return atom.error();
    if (type == PM_TYPE_STRING) {
      out->cp = give_text(text);
    } else if (type == PM_TYPE_32 || type == PM_TYPE_U32 || type == PM_TYPE_FLOAT) {
      out->ul = atom->u32;
    } else {
      out->ull = atom->u64;
    }
    return 0;
  });
}

// The format of the value, which has a block of its own where that is not PM_VAL_INSITU.
int __pmStuffValue(const pmAtomValue* atom, pmValue* out, int type) {
  if (atom == nullptr || out == nullptr) return -EINVAL;
  if (type == PM_TYPE_32 || type == PM_TYPE_U32) {
    out->value.lval = atom->l;
    return PM_VAL_INSITU;
  }
  const bool stays =
      type == PM_TYPE_AGGREGATE_STATIC || type == PM_TYPE_EVENT || type == PM_TYPE_HIGHRES_EVENT;
  if (stays && atom->vbp != nullptr) {
    out->value.pval = atom->vbp;
    return PM_VAL_SPTR;
  }
  if (type < PM_TYPE_64 || type > PM_TYPE_AGGREGATE) return PM_ERR_TYPE;
  return at_c_border([&] {
    const bool whole = type == PM_TYPE_AGGREGATE;
    const void* from = whole ? static_cast<const void*>(atom->vbp) : atom->cp;
    if (type >= PM_TYPE_STRING && from == nullptr) return PM_ERR_TYPE;
    const std::string_view bytes =
        whole ? std::string_view(atom->vbp->vbuf, atom->vbp->vlen - PM_VAL_HDR_SIZE)
              : block_bytes(*atom, type);
    const size_t room = std::max(PM_VAL_HDR_SIZE + bytes.size(), sizeof(pmValueBlock));
    auto* block = static_cast<pmValueBlock*>(give_bytes(room));
    block->vtype = static_cast<unsigned>(type) & 0xff;
    block->vlen = static_cast<unsigned>(PM_VAL_HDR_SIZE + bytes.size()) & PM_VAL_VLEN_MAX;
    std::memcpy(block->vbuf, bytes.data(), bytes.size());
    out->value.pval = block;
    return PM_VAL_DPTR;
  });
}

void __pmDumpPDUCnt(FILE* file) {
  if (file == nullptr) return;
  unsigned sent = 0, received = 0;
  for (size_t i = 0; i < kPduKinds; ++i) sent += g_pdus_out[i], received += g_pdus_in[i];
  if (sent + received == 0) {
    std::fputs("PDU stats ... no PDU activity\n", file);
    return;
  }
  constexpr const char* kLine = "%-20s %6u %6u\n";
  std::fprintf(file, "PDU stats ...\n%-20s %6s %6s\n", "Type", "Xmit", "Recv");
  for (size_t i = 0; i < std::size(kPduNames); ++i) {
    if (g_pdus_out[i] + g_pdus_in[i] == 0) continue;
    std::fprintf(file, kLine, kPduNames[i], g_pdus_out[i], g_pdus_in[i]);
  }
  std::fprintf(file, kLine, "Total", sent, received);
}

int __pmPrintMetricNames(FILE* file, int count, char** names, const char* between) {
  if (file == nullptr) return -EINVAL;
  if (count < 1 || names == nullptr) return std::fprintf(file, "<nonames>");
  int last = std::fputs(names[0], file);
  for (int i = 1; i < count; ++i) {
    last = std::fprintf(file, "%s%s", between == nullptr ? "" : between, names[i]);
  }
  return last;
}

// Who the client is, for those who look at the agent pmcd: not told yet.
int __pmSetClientIdArgv(int, char**) { return pmWhichContext() < 0 ? PM_ERR_NOCONTEXT : 0; }

namespace {

void wait_for(const struct timespec& time) {
  const Clock& clock = the_library().clock;
  clock.wait_until(clock.now() + std::chrono::seconds(time.tv_sec) +
                   std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace

void __pmtimespecSleep(struct timespec time) { wait_for(time); }
// Until a time of the wall clock.
void __pmtimespecPause(struct timespec time) {
  const Stamp now = stamp_now();
  const struct timespec began = {.tv_sec = now.sec, .tv_nsec = now.nsec};
  pmtimespecDec(&time, &began);
  if (time.tv_sec >= 0) wait_for(time);
}

time_t __pmMktime(struct tm* time) {
  if (time == nullptr) return -1;
  return at_c_border_or<time_t>(
      -1, [&] { return static_cast<time_t>(the_library().zones.zone().seconds_of(*time)); });
}

// A process behind the scenes: daemons are not among the programs that run on this library.
int __pmServerStart(int, char**, int) { return PM_ERR_NYI; }

void __pmSetLocalContextFlag(int) {}
int __pmSetLocalContextTable(int, char*, int, char*) { return PM_ERR_NYI; }
