#include "runtime/model/record_template.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/bytes.h"
#include "runtime/model/bulk.h"

namespace pmjit {

namespace {

constexpr uint32_t kBlockHeader = 4, kPair = 8;
constexpr size_t kWord = sizeof(uint64_t);
constexpr size_t kWordsAtOnce = 64;

uint64_t word_at(const std::byte* at, size_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

template <class Word>
void copy_blocks(const std::byte* from, uint32_t count, Column& column) {
  const uint64_t first = column.grow(count);
  Word* to = column.values.as<Word>() + first;
  if (count == 1) {
    *to = load_be<Word>(from + kBlockHeader);
  } else if constexpr (sizeof(Word) == 8) {
    bulk::values_of_8(from, count, to);
  } else {
    bulk::values_of_4(from, count, to);
  }
}

void copy_pairs(const std::byte* from, uint32_t count, Column& column) {
  const uint64_t first = column.grow(count);
  uint32_t* to = column.values.as<uint32_t>() + first;
  if (count == 1) {
    *to = load_be<uint32_t>(from + 4);
  } else {
    bulk::values_in_pairs(from, count, to);
  }
}

void append_texts(const RecordHead& head, std::span<const Spot> spots, Column& column) {
  const uint64_t first = column.grow(spots.size());
  auto* to = column.values.as<uint32_t>() + first;
  for (const Spot spot : spots) *to++ = add_text(head, spot, column);
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
  rows_.add(row.roster_id, row.status, column);
  return true;
}

// Many words at a time, so that the compiler finds vectors for it.
bool RecordTemplate::matches(const RecordHead& head) const {
  if (head.bytes.size() != length_ || head.sets_at != sets_at_ || head.sets != sets_ ||
      head.body_end != body_end_ || head.words_before != words_before_) {
    return false;
  }
  const std::byte* bytes = head.bytes.data() + sets_at_;
  const size_t whole = (body_end_ - sets_at_) / kWord;
  for (size_t from = 0; from < whole; from += kWordsAtOnce) {
    const size_t end = std::min(from + kWordsAtOnce, whole);
    uint64_t differences = 0;
    for (size_t i = from; i < end; ++i) {
      differences |= (word_at(bytes + i * kWord, kWord) & mask_[i]) ^ skeleton_[i];
    }
    if (differences != 0) return false;
  }
  const size_t rest = (body_end_ - sets_at_) % kWord;
  return rest == 0 || (word_at(bytes + whole * kWord, rest) & mask_[whole]) == skeleton_[whole];
}

bool RecordTemplate::known(const Rosters& rosters) const {
  return std::ranges::all_of(rows_.groups(),
                             [&](const RowGroup& of) { return rosters.knows(of.roster_id); });
}

void RecordTemplate::append(const RecordHead& head, Block& block, RowSharing& lists) {
  lists.append(block, rows_, head.stamp, static_cast<uint32_t>(block.records.size() - 1));
  const std::byte* bytes = head.bytes.data();
  for (const TemplateRun& run : runs_) {
    Column& column = block.columns[run.column];
    switch (run.from) {
      case TemplateRun::From::pairs: copy_pairs(bytes + run.at, run.count, column); break;
      case TemplateRun::From::blocks:
        if (elem_bytes(column.elem) == 8) {
          copy_blocks<uint64_t>(bytes + run.at, run.count, column);
        } else {
          copy_blocks<uint32_t>(bytes + run.at, run.count, column);
        }
        break;
      case TemplateRun::From::texts:
        append_texts(head, std::span(spots_).subspan(run.at, run.count), column);
        break;
    }
  }
}

}  // namespace pmjit
