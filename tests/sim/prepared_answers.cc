#include "tests/sim/prepared_answers.h"

#include <algorithm>
#include <cstring>

#include "runtime/model/fetched_values.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit::test {

namespace {

// Spec wire-protocol.md §5.4, §5.5, §5.6: where the metrics of a request begin, their count first,
// and the stamp of a result.
constexpr size_t kAskedAt = 24, kStampAt = 12, kHighresStampAt = 16;
// Tests ask some dozens of different requests.
constexpr size_t kRequestsKept = 1'000;

template <class T>
void store_be(std::byte* at, T value) {
  const T turned = load_be<T>(reinterpret_cast<const std::byte*>(&value));
  std::memcpy(at, &turned, sizeof turned);
}

// The type of the request is in it: results differ.
std::string key_of(Bytes request) {
  std::string out(1, static_cast<char>(request[7]));
  out.append(reinterpret_cast<const char*>(request.data()) + kAskedAt, request.size() - kAskedAt);
  return out;
}

bool is_of(Bytes request, const std::string& key) {
  return key.size() == request.size() - kAskedAt + 1 && key[0] == static_cast<char>(request[7]) &&
         std::memcmp(key.data() + 1, request.data() + kAskedAt, key.size() - 1) == 0;
}

}  // namespace

std::optional<PreparedAnswer> PreparedAnswer::of(Bytes result, std::span<const SimMetric> metrics) {
  PreparedAnswer out;
  out.bytes_.assign(result.begin(), result.end());
  const auto pdu = wire::decode(out.bytes_, {.route = wire::Route::collector_to_client});
  if (!pdu) return {};
  if (const auto* plain = std::get_if<wire::ResultMessage>(&pdu->body)) {
    check(load_be<uint32_t>(out.bytes_.data() + kStampAt) == static_cast<uint32_t>(plain->seconds),
          "sim: the stamp of a result is elsewhere");
    if (out.place(plain->sets, metrics)) return out;
  } else if (const auto* highres = std::get_if<wire::HighresResultMessage>(&pdu->body)) {
    out.highres_ = true;
    check(load_be<uint64_t>(out.bytes_.data() + kHighresStampAt) ==
              static_cast<uint64_t>(highres->seconds),
          "sim: the stamp of a result is elsewhere");
    if (out.place(highres->sets, metrics)) return out;
  }
  return {};
}

bool PreparedAnswer::place(const wire::ResultSets& sets, std::span<const SimMetric> metrics) {
  const auto offset_of = [&](const ValueSet& set, uint32_t i) {
    return static_cast<uint32_t>(stored_block(sets.head, sets.layout, set, i).data.data() -
                                 sets.head.bytes.data());
  };
  for (const ValueSet& set : sets.layout.sets) {
    const auto found = std::ranges::find(metrics, set.pmid,
                                         [](const SimMetric& metric) { return metric.desc.pmid; });
    if (found == metrics.end() || set.count < 0) return false;
    if (set.count == 0) continue;
    PlacedSet placed{.metric = &*found,
                     .count = static_cast<uint32_t>(set.count),
                     .pairs = set.pairs,
                     .values = set.pairs + 4,
                     .stride = 8,
                     .wide = false};
    if (!set.in_place) {
      placed.values = offset_of(set, 0);
      placed.stride = placed.count > 1 ? offset_of(set, 1) - placed.values : 0;
      placed.wide = is_of_8(static_cast<uint32_t>(found->desc.pm_type));
    }
    sets_.push_back(placed);
  }
  return true;
}

void PreparedAnswer::put_values(const PlacedSet& set, const SimMoment& moment) {
  std::byte* pair = bytes_.data() + set.pairs;
  std::byte* value = bytes_.data() + set.values;
  const bool singular = set.metric->singular();
  for (uint32_t i = 0; i < set.count; ++i, pair += 8, value += set.stride) {
    const uint32_t instance = singular ? 0 : static_cast<uint32_t>(moment.first_instance) + i;
    if (!singular) store_be(pair, instance);
    const uint64_t bits = sim_bits(*set.metric, moment, instance);
    if (set.wide) {
      store_be(value, bits);
    } else {
      store_be(value, static_cast<uint32_t>(bits));
    }
  }
}

void PreparedAnswer::put_stamp(Stamp stamp) {
  const wire::ResultTime time =
      wire::result_time(highres_ ? wire::PduType::highres_result : wire::PduType::result, stamp);
  if (highres_) {
    store_be(bytes_.data() + kHighresStampAt, static_cast<uint64_t>(time.seconds));
    store_be(bytes_.data() + kHighresStampAt + 8, static_cast<uint64_t>(time.fraction));
  } else {
    store_be(bytes_.data() + kStampAt, static_cast<uint32_t>(time.seconds));
    store_be(bytes_.data() + kStampAt + 4, static_cast<uint32_t>(time.fraction));
  }
}

Bytes PreparedAnswer::at(const SimMoment& moment, Stamp stamp) {
  put_stamp(stamp);
  for (const PlacedSet& set : sets_) put_values(set, moment);
  return bytes_;
}

PreparedAnswers::Known* PreparedAnswers::find(Bytes request, Known* last) {
  if (request.size() < kAskedAt) return nullptr;
  if (last != nullptr && is_of(request, last->key)) return last;
  const auto found = known_.find(key_of(request));
  return found == known_.end() ? nullptr : found->second.get();
}

void PreparedAnswers::learn(Bytes request, Bytes result) {
  if (known_.size() >= kRequestsKept) return;
  std::optional<PreparedAnswer> answer = PreparedAnswer::of(result, metrics_);
  if (!answer) return;
  std::string key = key_of(request);
  auto known = std::make_unique<Known>(Known{.key = key, .answer = std::move(*answer)});
  known_.emplace(std::move(key), std::move(known));
}

}  // namespace pmjit::test
