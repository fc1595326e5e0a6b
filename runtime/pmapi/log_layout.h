// The structures that PCP's own programs share with libpcp beside the interface, as they lie in
// memory: results, hash tables, labels, files, the state of an archive. Programs read their fields,
// so the offsets are part of the promise. They were found by watching what libpcp 6.0.3 hands to
// pmdumplog, pmlogsummary and libpcp_import, and which fields these read.
//
// What no program reads is room without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "runtime/model/stamp.h"
#include "runtime/pmapi/border.h"

namespace pmjit {

struct SharedStamp {
  int64_t sec;
  int32_t nsec;
};

struct SharedResult {
  SharedStamp stamp;
  int numpmid;
  pmValueSet* vset[1];
};
static_assert(offsetof(SharedResult, vset) == offsetof(pmHighResResult, vset));

struct SharedHashNode {
  SharedHashNode* next;
  unsigned key;
  void* data;
};
struct SharedHash {
  int nodes;
  int size;
  SharedHashNode** table;
  SharedHashNode* next;
  unsigned index;
};
static_assert(sizeof(SharedHash) == 32);

// A file of an archive. Programs only pass it on.
struct SharedFile;

struct SharedLabel {
  int magic;
  int pid;
  SharedStamp start;
  int volume;
  unsigned features;
  char *host, *timezone, *zoneinfo;  // malloc's; null: not known
};
static_assert(sizeof(SharedLabel) == 56);

struct SharedInDom {
  SharedInDom *next, *previous;  // of a domain, the newest first
  pmInDom indom;
  SharedStamp stamp;
  int8_t is_delta;
  int count;
  int allocated;
  int* ids;
  char** names;
};
static_assert(offsetof(SharedInDom, count) == 0x2c && offsetof(SharedInDom, ids) == 0x38);

struct SharedLabelSets {
  SharedLabelSets* next;  // of an identifier, the newest first
  SharedStamp stamp;
  int type;
  unsigned ident;
  int count;
  pmLabelSet* sets;
};
static_assert(offsetof(SharedLabelSets, sets) == 0x28);

struct SharedIndexEntry {
  SharedStamp stamp;
  int volume;
  int64_t meta_offset, data_offset;
};
static_assert(sizeof(SharedIndexEntry) == 0x28);

struct SharedLog {
  std::byte lock[0x28];
  int references;
  int several;
  char* name;
  SharedFile *index, *meta;
  void* room_1;
  SharedHash metrics, instances_in_time, domains, trimmed, labels, texts;
  int first_volume, last_volume, seen_count;
  int* seen;
  SharedLabel label;
  int64_t physical_end;
  SharedStamp end;
  int index_count;
  SharedIndexEntry* entries;
  void* names;
  int is_multiple;
};
static_assert(offsetof(SharedLog, metrics) == 0x50 && offsetof(SharedLog, label) == 0x128 &&
              offsetof(SharedLog, entries) == 0x180 && sizeof(SharedLog) == 0x198);

// Where a program reads or writes an archive.
struct SharedArchive {
  SharedLog* log;
  SharedFile* volume;
  void* room_1;
  int64_t offset;
  int room_2, current_volume;
};

struct SharedContext {
  std::byte lock[0x28];
  int type;
  int mode;
  void* host;
  SharedArchive* archive;
  SharedStamp origin;
};
static_assert(offsetof(SharedContext, archive) == 0x38);

[[nodiscard]] inline Stamp stamp_of(const SharedStamp& stamp) {
  return {.sec = stamp.sec, .nsec = stamp.nsec};
}
inline void put_time(Stamp stamp, SharedStamp& out) { out = {stamp.sec, stamp.nsec}; }

}  // namespace pmjit
