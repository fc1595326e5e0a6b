#include "runtime/pmapi/convert.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_set>

namespace pmjit {

namespace {

// The results that we have handed out.
class GivenResults {
 public:
  void add(const void* result) {
    const std::scoped_lock lock(lock_);
    given_.insert(result);
  }
  [[nodiscard]] bool remove(const void* result) {
    const std::scoped_lock lock(lock_);
    return given_.erase(result) != 0;
  }
  [[nodiscard]] bool contains(const void* result) {
    const std::scoped_lock lock(lock_);
    return given_.contains(result);
  }

 private:
  std::mutex lock_;
  std::unordered_set<const void*> given_;
};

GivenResults& given_results() {
  static auto* const results = new GivenResults();
  return *results;
}

constexpr size_t aligned(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

size_t set_bytes(size_t values) {
  return offsetof(pmValueSet, vlist) + std::max<size_t>(values, 1) * sizeof(pmValue);
}

size_t result_bytes(const Fetched& fetched) {
  size_t out = offsetof(pmResult, vset) + std::max<size_t>(fetched.sets.size(), 1) * sizeof(void*);
  for (const FetchedSet& set : fetched.sets) {
    out += aligned(set_bytes(set.values.size()));
    if (set.format == ValueFormat::in_place) continue;
    for (const Value& value : set.values) {
      out += aligned(PM_VAL_HDR_SIZE + std::max<size_t>(value.block.size(), 4));
    }
  }
  return out;
}

pmValueBlock* put_block(const Value& value, std::byte*& at) {
  auto* out = reinterpret_cast<pmValueBlock*>(at);
  at += aligned(PM_VAL_HDR_SIZE + std::max<size_t>(value.block.size(), 4));
  out->vtype = value.type;
  out->vlen = static_cast<unsigned>(PM_VAL_HDR_SIZE + value.block.size()) & PM_VAL_VLEN_MAX;
  std::memcpy(out->vbuf, value.block.data(), value.block.size());
  return out;
}

pmValueSet* put_set(const FetchedSet& set, std::byte*& at) {
  auto* out = reinterpret_cast<pmValueSet*>(at);
  at += aligned(set_bytes(set.values.size()));
  out->pmid = set.pmid;
  out->numval = set.count;
  out->valfmt = static_cast<int>(set.format);
  for (size_t i = 0; i < set.values.size(); ++i) {
    pmValue& value = out->vlist[i];
    value.inst = set.values[i].instance;
    if (set.format == ValueFormat::in_place) {
      value.value.lval = static_cast<int>(set.values[i].word);
    } else {
      value.value.pval = put_block(set.values[i], at);
    }
  }
  return out;
}

// Of a result that a program has made: its blocks are malloc's where they say so.
void free_sets(pmResult& result) {
  for (int i = 0; i < result.numpmid; ++i) {
    pmValueSet* set = result.vset[i];
    if (set == nullptr) continue;
    for (int k = 0; k < set->numval && set->valfmt == PM_VAL_DPTR; ++k) {
      std::free(set->vlist[k].value.pval);
    }
    std::free(set);
  }
}

}  // namespace

Units units_of(const pmUnits& units) {
  return units_from_word(std::bit_cast<uint32_t>(units), ExtraUnits::ignored);
}
pmUnits to_c(const Units& units) { return std::bit_cast<pmUnits>(units_to_word(units)); }

Desc desc_of(const pmDesc& desc) {
  return {.pmid = desc.pmid,
          .pm_type = desc.type,
          .indom = desc.indom,
          .semantics = static_cast<Semantics>(desc.sem),
          .units = units_of(desc.units)};
}

pmDesc to_c(const Desc& desc) {
  return {.pmid = desc.pmid,
          .type = desc.pm_type,
          .indom = desc.indom,
          .sem = static_cast<int>(desc.semantics),
          .units = to_c(desc.units)};
}

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

Value value_of(int valfmt, const pmValue& value) {
  Value out{.instance = value.inst};
  if (valfmt == PM_VAL_INSITU) {
    out.word = static_cast<uint32_t>(value.value.lval);
    return out;
  }
  const pmValueBlock* block = value.value.pval;
  if (block == nullptr) return out;
  out.type = static_cast<uint8_t>(block->vtype);
  const size_t bytes = block->vlen < PM_VAL_HDR_SIZE ? 0 : block->vlen - PM_VAL_HDR_SIZE;
  out.block = {reinterpret_cast<const std::byte*>(block->vbuf), bytes};
  return out;
}

std::vector<FetchedSet> sets_of(int numpmid, pmValueSet* const* sets) {
  std::vector<FetchedSet> out;
  for (int i = 0; i < numpmid; ++i) {
    FetchedSet& set = out.emplace_back();
    if (sets[i] == nullptr) continue;
    set.pmid = sets[i]->pmid;
    set.count = sets[i]->numval;
    set.format = static_cast<ValueFormat>(sets[i]->valfmt);
    for (int k = 0; k < set.count; ++k) {
      set.values.push_back(value_of(sets[i]->valfmt, sets[i]->vlist[k]));
    }
  }
  return out;
}

void* give_result(const Fetched& fetched, bool nanoseconds) {
  auto* out = static_cast<std::byte*>(give_bytes(result_bytes(fetched)));
  std::byte* at =
      out + offsetof(pmResult, vset) + std::max<size_t>(fetched.sets.size(), 1) * sizeof(void*);
  auto* result = reinterpret_cast<pmResult*>(out);
  if (nanoseconds) {
    put_time(fetched.stamp, reinterpret_cast<pmHighResResult*>(out)->timestamp);
  } else {
    put_time(fetched.stamp, result->timestamp);
  }
  result->numpmid = static_cast<int>(fetched.sets.size());
  for (size_t i = 0; i < fetched.sets.size(); ++i) {
    result->vset[i] = put_set(fetched.sets[i], at);
  }
  given_results().add(out);
  return out;
}

void free_result(void* given) {
  if (given == nullptr) return;
  if (!given_results().remove(given)) free_sets(*static_cast<pmResult*>(given));
  std::free(given);
}

void free_result_values(void* given) {
  if (given == nullptr || given_results().contains(given)) return;
  free_sets(*static_cast<pmResult*>(given));
}

}  // namespace pmjit
