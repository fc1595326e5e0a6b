/* Calls about event records: arrays that are made here, whole and damaged. */
#include "twin.h"

enum { kRoom = 2048 };

struct made {
  union {
    pmValueBlock block;
    char bytes[kRoom];
  } at;
  size_t used;
};

static void put(struct made* into, const void* bytes, size_t count) {
  memcpy(into->at.bytes + into->used, bytes, count);
  into->used += (count + 3) & ~(size_t)3;
}
static void put_word(struct made* into, uint32_t word) { put(into, &word, sizeof word); }

static void put_parameter(struct made* into) {
  static const int types[] = {PM_TYPE_32,    PM_TYPE_U32,    PM_TYPE_64,     PM_TYPE_U64,
                              PM_TYPE_FLOAT, PM_TYPE_DOUBLE, PM_TYPE_STRING, PM_TYPE_AGGREGATE};
  static const unsigned sizes[] = {4, 4, 8, 8, 4, 8};
  const unsigned which = pick(8);
  const unsigned size = which < 6 ? sizes[which] : 1 + pick(13);
  char bytes[16] = "";
  const uint64_t number = pick_bits();
  for (unsigned i = 0; i < size; ++i) bytes[i] = (char)('a' + pick(26));
  if (which < 4) memcpy(bytes, &number, size);
  if (which == 6) bytes[size - 1] = '\0';
  put_word(into, pmID_build(29, pick(8), pick(90)));
  put_word(into, (PM_VAL_HDR_SIZE + size) | (uint32_t)types[which] << 24);
  put(into, bytes, size);
}

/* How many records it says that it has; those that were missed have no parameters. */
static int make_array(struct made* into, int fine) {
  const int records = (int)pick(4);
  into->used = 8; /* its head is put last */
  memset(&into->at, 0, sizeof into->at);
  for (int i = 0; i < records; ++i) {
    const int missed = pick(6) == 0;
    const uint32_t flags = missed ? PM_EVENT_FLAG_MISSED : pick(2) ? pick(32) : 0;
    const int parameters = (int)pick(4);
    if (fine) {
      const int64_t stamp[2] = {pick(2000000000), pick(1000000000)};
      put(into, stamp, sizeof stamp);
    } else {
      const int32_t stamp[2] = {(int32_t)pick(2000000000), (int32_t)pick(1000000)};
      put(into, stamp, sizeof stamp);
    }
    put_word(into, flags);
    put_word(into, missed ? pick(9) + 1 : (uint32_t)parameters);
    for (int k = 0; k < parameters && !missed; ++k) put_parameter(into);
  }
  return records;
}

/* What is wrong with some: the kind, the length, the number of records. */
static void make_set(struct made* made, pmValueSet* set, int fine) {
  int records = make_array(made, fine);
  unsigned type = fine ? PM_TYPE_HIGHRES_EVENT : PM_TYPE_EVENT;
  size_t length = made->used;
  switch (pick(12)) {
    case 0: type = pick(12); break;
    case 1: length -= pick(5) * 4 < length ? pick(5) * 4 : 0; break;
    case 2: records = (int)pick(5) - 1; break;
    default: break;
  }
  memcpy(made->at.bytes + 4, &records, sizeof records);
  made->at.block.vlen = (unsigned)length & 0xffffff;
  made->at.block.vtype = type & 0xff;
  set->pmid = pmID_build(29, 0, 1);
  set->numval = 1;
  set->valfmt = pick(20) ? PM_VAL_DPTR : PM_VAL_INSITU;
  set->vlist[0].inst = PM_IN_NULL;
  set->vlist[0].value.pval = &made->at.block;
}

static void call_unpack(void) {
  static struct made made;
  pmValueSet set;
  const int fine = (int)pick(2);
  int sts;
  make_set(&made, &set, fine);
  say_bytes(made.at.bytes, made.used);
  if (fine) {
    pmHighResResult** results = NULL;
    sts = pmUnpackHighResEventRecords(&set, 0, &results);
    say(" fine: %d", sts);
    for (int i = 0; i < sts; ++i) say_result(results[i], 1);
    if (sts > 0) pmFreeHighResEventResult(results);
  } else {
    pmResult** results = NULL;
    sts = pmUnpackEventRecords(&set, 0, &results);
    say(": %d", sts);
    for (int i = 0; i < sts; ++i) say_result((const pmHighResResult*)results[i], 0);
    if (sts > 0) pmFreeEventResult(results);
  }
}
static void call_print_array(void) {
  static struct made made;
  const int fine = (int)pick(2);
  pmValueSet set;
  FILE* file;
  int records = make_array(&made, fine);
  memcpy(made.at.bytes + 4, &records, sizeof records);
  made.at.block.vlen = (unsigned)made.used & 0xffffff;
  made.at.block.vtype = fine ? PM_TYPE_HIGHRES_EVENT : PM_TYPE_EVENT;
  set.vlist[0].value.pval = &made.at.block;
  file = begin_file();
  pmPrintValue(file, PM_VAL_DPTR, made.at.block.vtype, &set.vlist[0], (int)pick(30));
  say_file(file);
}
static void call_atom_block(void) {
  static struct made made;
  pmAtomValue atom;
  char buffer[80];
  const int fine = (int)pick(2);
  int records = make_array(&made, fine);
  memcpy(made.at.bytes + 4, &records, sizeof records);
  made.at.block.vlen = (unsigned)made.used & 0xffffff;
  made.at.block.vtype = fine ? PM_TYPE_HIGHRES_EVENT : PM_TYPE_EVENT;
  atom.vbp = &made.at.block;
  say_text(pmAtomStr_r(&atom, made.at.block.vtype, buffer, sizeof buffer));
}

/* Blocks of any length and kind, as text. */
static void call_print_block(void) {
  static const int types[] = {PM_TYPE_FLOAT,  PM_TYPE_DOUBLE,    PM_TYPE_64,      PM_TYPE_U64,
                              PM_TYPE_STRING, PM_TYPE_AGGREGATE, PM_TYPE_UNKNOWN, PM_TYPE_32,
                              PM_TYPE_U32,    PM_TYPE_NOSUPPORT};
  struct {
    pmValueBlock head;
    char more[32];
  } block = {};
  pmValue value = {.inst = PM_IN_NULL};
  const int type = PICK_OF(types), printable = (int)pick(2);
  const unsigned fixed = type == PM_TYPE_FLOAT ? 4 : 8;
  const int number = type <= PM_TYPE_DOUBLE && type >= 0;
  const unsigned length = number ? fixed : pick(24);
  FILE* file;
  for (unsigned i = 0; i < length; ++i) {
    block.head.vbuf[i] = (char)(printable ? 'a' + pick(26) : pick(256));
  }
  if (type == PM_TYPE_STRING) block.head.vbuf[length] = '\0';
  block.head.vlen = (PM_VAL_HDR_SIZE + length + (type == PM_TYPE_STRING)) & 0xffffff;
  block.head.vtype = (unsigned)type & 0xff;
  value.value.pval = &block.head;
  say(" %d %u", type, length);
  file = begin_file();
  pmPrintValue(file, pick(15) ? PM_VAL_SPTR : 7, type, &value, (int)pick(30));
  say_file(file);
}
static void call_print_in_place(void) {
  static const int types[] = {PM_TYPE_32,      PM_TYPE_U32, PM_TYPE_FLOAT,
                              PM_TYPE_UNKNOWN, PM_TYPE_64,  PM_TYPE_NOSUPPORT};
  pmValue value = {.inst = PM_IN_NULL};
  const int type = PICK_OF(types);
  FILE* file = begin_file();
  value.value.lval = (int)pick_bits();
  pmPrintValue(file, PM_VAL_INSITU, type, &value, (int)pick(16));
  say(" %d %x", type, value.value.lval);
  say_file(file);
}

const struct call event_calls[] = {{"pmUnpackEventRecords", 4, call_unpack},
                                   {"pmPrintValue of events", 2, call_print_array},
                                   {"pmAtomStr of events", 1, call_atom_block},
                                   {"pmPrintValue of a block", 3, call_print_block},
                                   {"pmPrintValue in place", 2, call_print_in_place},
                                   {NULL, 0, NULL}};
