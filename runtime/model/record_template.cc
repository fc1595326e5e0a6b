#include "runtime/model/record_template.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/bytes.h"
#include "runtime/model/bulk.h"

namespace pmjit {

namespace {

constexpr uint32_t kBlockHeader = 4, kPair = 8;
constexpr size_t kWord = sizeof(uint64_t);
constexpr size_t kWordsAtOnce = 256;
// Instances of which each is copied by itself: a call of bulk.h for so few costs as much again.
constexpr uint32_t kFewValues = 8;

uint64_t word_at(const std::byte* at, size_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

using Heads = std::span<const RecordHead>;

// Does a part of a record differ where the mask says that it must not? Most of what reading a
// record costs, for it looks at every byte.
[[gnu::always_inline]] inline bool look_for_difference(const std::byte* part, const uint64_t* mask,
                                                       const uint64_t* skeleton, size_t words) {
  uint64_t differences = 0;
  for (size_t i = 0; i < words; ++i) {
    differences |= (word_at(part + i * kWord, kWord) & mask[i]) ^ skeleton[i];
  }
  return differences != 0;
}

using Differs = bool (*)(const std::byte*, const uint64_t*, const uint64_t*, size_t);

bool differs(const std::byte* part, const uint64_t* mask, const uint64_t* skeleton, size_t words) {
  return look_for_difference(part, mask, skeleton, words);
}

// With the widest vectors that there are. Not by the loader's choice, which is made before the
// thread sanitizer is there.
#if defined(__x86_64__)
[[gnu::target("avx2")]] bool differs_by_avx2(const std::byte* part, const uint64_t* mask,
                                             const uint64_t* skeleton, size_t words) {
  return look_for_difference(part, mask, skeleton, words);
}

Differs fastest_differs() { return __builtin_cpu_supports("avx2") ? differs_by_avx2 : differs; }
#else
Differs fastest_differs() { return differs; }
#endif

template <class Word>
Word* grow(Column& column, size_t values) {
  const uint64_t first = column.grow(values);
  return column.values.as<Word>() + first;
}

// A run of records side by side: where its values begin in the first of them.
struct SideBySide {
  const std::byte* first;
  size_t records, length;  // of each record
  uint32_t step, skip;  // from a value to the next, and to it from where its pair or block begins
};

// One value of each record. The loop that copies most of a host's values.
template <class Word>
void copy_one(const std::byte* from, const SideBySide& in, Word* to, size_t to_step) {
  size_t k = 0;
  for (; k + 4 <= in.records; k += 4, from += 4 * in.length, to += 4 * to_step) {
    to[0] = load_be<Word>(from);
    to[to_step] = load_be<Word>(from + in.length);
    to[2 * to_step] = load_be<Word>(from + 2 * in.length);
    to[3 * to_step] = load_be<Word>(from + 3 * in.length);
  }
  for (; k < in.records; ++k, from += in.length, to += to_step) *to = load_be<Word>(from);
}

template <class Word, class Copy>
void copy_values(const SideBySide& in, uint32_t count, Column& column, Copy copy) {
  Word* const to = grow<Word>(column, count * in.records);
  if (count == 1) return copy_one(in.first + in.skip, in, to, 1);
  if (count <= kFewValues) {
    for (uint32_t i = 0; i < count; ++i) {
      copy_one(in.first + in.skip + i * in.step, in, to + i, count);
    }
    return;
  }
  for (size_t k = 0; k < in.records; ++k) copy(in.first + k * in.length, count, to + k * count);
}

void append_texts(Heads heads, std::span<const Spot> spots, Column& column) {
  auto* to = grow<uint32_t>(column, spots.size() * heads.size());
  for (const RecordHead& head : heads) {
    for (const Spot spot : spots) *to++ = add_text(head, spot, column);
  }
}

}  // namespace

RecordTemplate::RecordTemplate(const RecordHead& head, const RecordLayout& layout)
    : length_(head.bytes.size()),
      sets_at_(head.sets_at),
      sets_(head.sets),
      body_end_(head.body_end),
      words_before_(head.words_before) {
  const size_t bytes = body_end_ - sets_at_;
  skeleton_.resize((bytes + kWord - 1) / kWord, 0);
  mask_.resize(skeleton_.size(), 0);
  std::memcpy(skeleton_.data(), head.bytes.data() + sets_at_, bytes);
  std::memset(mask_.data(), 0xff, bytes);
  for (const ValueSet& set : layout.sets) {
    if (set.count <= 0) continue;
    const auto count = static_cast<uint32_t>(set.count);
    for (uint32_t i = 0; i < count; ++i) {
      if (set.in_place) {
        hide(set.pairs + i * kPair + 4, 4);
        continue;
      }
      const Spot spot = set.header != 0 ? Spot{.offset = set.first + i * padded_length(set.header),
                                               .header = set.header}
                                        : layout.spots[set.first + i];
      hide(spot.offset + kBlockHeader, padded_length(spot.header) - kBlockHeader);
    }
  }
  for (size_t i = 0; i < skeleton_.size(); ++i) skeleton_[i] &= mask_[i];
}

void RecordTemplate::hide(uint32_t from, uint32_t bytes) {
  std::memset(reinterpret_cast<std::byte*>(mask_.data()) + (from - sets_at_), 0, bytes);
}

bool RecordTemplate::add(const RecordLayout& layout, const ValueSet& set, const Row& row,
                         uint32_t column, Elem elem) {
  TemplateRun run{.column = column};
  if (row.status == 0 && set.count > 0) {
    run.count = static_cast<uint32_t>(set.count);
    if (!is_number(elem)) {
      run.from = TemplateRun::From::texts;
      run.at = static_cast<uint32_t>(spots_.size());
      for (uint32_t i = 0; i < run.count; ++i) {
        spots_.push_back(set.header != 0 ? Spot{.offset = set.first + i * padded_length(set.header),
                                                .header = set.header}
                                         : layout.spots[set.first + i]);
      }
    } else if (set.in_place) {
      run.from = TemplateRun::From::pairs;
      run.at = set.pairs;
    } else if (set.header != 0 && block_type(set.header) != 0) {
      run.from = TemplateRun::From::blocks;
      run.at = set.first;
    } else {
      return false;
    }
    values_ += run.count;
    runs_.push_back(run);
  }
  rows_.add(row.roster_id, row.status, column, run.count);
  return true;
}

bool RecordTemplate::fits(const RecordHead& head) const {
  return head.bytes.size() == length_ && head.sets_at == sets_at_ && head.sets == sets_ &&
         head.body_end == body_end_ && head.words_before == words_before_;
}

// A part of all records after the other, so that the skeleton of each is fetched once.
size_t RecordTemplate::matching(Heads heads) const {
  const Differs part_differs = fastest_differs();
  size_t alike = 0;
  while (alike < heads.size() && fits(heads[alike])) ++alike;
  const size_t whole = (body_end_ - sets_at_) / kWord;
  for (size_t from = 0; from < whole && alike != 0; from += kWordsAtOnce) {
    const size_t words = std::min(kWordsAtOnce, whole - from);
    for (size_t k = 0; k < alike; ++k) {
      const std::byte* part = heads[k].bytes.data() + sets_at_ + from * kWord;
      if (part_differs(part, mask_.data() + from, skeleton_.data() + from, words)) alike = k;
    }
  }
  const size_t rest = (body_end_ - sets_at_) % kWord;
  for (size_t k = 0; k < alike && rest != 0; ++k) {
    const std::byte* last = heads[k].bytes.data() + sets_at_ + whole * kWord;
    if ((word_at(last, rest) & mask_[whole]) != skeleton_[whole]) alike = k;
  }
  return alike;
}

bool RecordTemplate::known(const Rosters& rosters) const {
  return std::ranges::all_of(rows_.groups(),
                             [&](const RowGroup& of) { return rosters.knows(of.roster_id); });
}

void RecordTemplate::make_room(Block& block, uint64_t records) const {
  for (const TemplateRun& run : runs_) {
    Column& column = block.columns[run.column];
    column.values.reserve(records * run.count * elem_bytes(column.elem));
  }
}

// In memory, as they do in an archive.
bool RecordTemplate::follow_each_other(Heads heads) const {
  for (size_t k = 1; k < heads.size(); ++k) {
    if (heads[k].bytes.data() != heads[k - 1].bytes.data() + length_) return false;
  }
  return true;
}

void RecordTemplate::append(Heads heads, Block& block, RowSharing& lists) {
  const auto record = static_cast<uint32_t>(block.records.size());
  for (const RecordHead& head : heads) block.records.push_back({.stamp = head.stamp});
  lists.append(block, rows_, record);
  if (follow_each_other(heads)) return append_values(heads, block);
  for (size_t k = 0; k < heads.size(); ++k) append_values(heads.subspan(k, 1), block);
}

void RecordTemplate::append_values(Heads heads, Block& block) const {
  for (const TemplateRun& run : runs_) {
    Column& column = block.columns[run.column];
    SideBySide in{.first = heads.front().bytes.data() + run.at,
                  .records = heads.size(),
                  .length = length_,
                  .step = kPair,
                  .skip = kPair / 2};
    switch (run.from) {
      case TemplateRun::From::pairs:
        copy_values<uint32_t>(in, run.count, column, bulk::values_in_pairs);
        break;
      case TemplateRun::From::blocks:
        in.skip = kBlockHeader;
        if (elem_bytes(column.elem) == 8) {
          in.step = kBlockHeader + 8;
          copy_values<uint64_t>(in, run.count, column, bulk::values_of_8);
        } else {
          in.step = kBlockHeader + 4;
          copy_values<uint32_t>(in, run.count, column, bulk::values_of_4);
        }
        break;
      case TemplateRun::From::texts:
        append_texts(heads, std::span(spots_).subspan(run.at, run.count), column);
        break;
    }
  }
}

}  // namespace pmjit
