// The records of an archive of arbitrary bytes, or of two, as PCP's tools read them: forward and
// backward, at recorded times and between them, event records unpacked, every value printed. Either
// direction gives the same records, and reading again the same values.
//
// Parameters: where to start (a record, and what is added in 1/16 s), the step (in 1/16 of the mean
// distance of records), which instances are wanted.
#include <algorithm>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/client/archive_context/archive_context.h"
#include "runtime/model/event_array.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/print_value.h"
#include "tests/fuzz/archive_input.h"
#include "tests/fuzz/archive_target.h"
#include "tests/fuzz/digest.h"

namespace pmjit::fuzz {
namespace {

constexpr int kFetchesMax = 40;  // of one context, so that an input is quick

struct Seen {
  Stamp stamp;
  bool border = false;  // the mark between two archives: its time depends on the direction
  Digest content{};
  friend bool operator==(const Seen& a, const Seen& b) {
    return a.border == b.border && a.content == b.content && (a.border || a.stamp == b.stamp);
  }
};

struct Reading {
  std::vector<Seen> records;
  int error = 0;  // PM_ERR_* that ended it
};

Seen seen(const RecordReader& reader) {
  const ReplayRecord& record = reader.record();
  Seen out{.stamp = record.stamp, .border = record.head.bytes.empty()};
  out.content.add(record.head.bytes);
  check(record.mark == reader.layout().sets.empty(), "a mark has no value sets");
  return out;
}

Reading read_all(RecordReader& reader, Result<bool> (RecordReader::*step)()) {
  Reading out;
  while (true) {
    const auto more = (reader.*step)();
    if (!more) out.error = more.error().pm_code();
    if (!more || !*more) return out;
    out.records.push_back(seen(reader));
  }
}

// There and back again at every record: the same one each time.
void check_turns(RecordReader& reader, const std::vector<Seen>& records) {
  reader.move_to_start();
  for (size_t i = 0; i < std::min(records.size(), size_t{kFetchesMax}); ++i) {
    for (const bool forward : {true, false, true}) {
      const auto more = forward ? reader.next() : reader.previous();
      if (!more && more.error().pm_code() == pm_err::E_LOGOVERLAP) return;
      check(more.value_or(false) && seen(reader) == records[i], "a reader turns around");
    }
  }
}

std::vector<Seen> check_directions(const Archives& archives) {
  RecordReader reader(archives, BadVolumes::pass_over);
  const Reading forward = read_all(reader, &RecordReader::next);
  reader.move_to_start();
  check(read_all(reader, &RecordReader::next).records == forward.records, "the same once more");
  reader.move_to_end();
  Reading backward = read_all(reader, &RecordReader::previous);
  std::ranges::reverse(backward.records);
  if (forward.error == 0 && backward.error == 0) {
    check(forward.records == backward.records, "the same records in both directions");
  }
  check_turns(reader, forward.records);
  return forward.records;
}

// Every value as it is printed, event records unpacked.
class ValueDigest {
 public:
  explicit ValueDigest(const Metadata& metadata) : metadata_(metadata) {}

  void add(const Fetched& fetched) {
    digest_.add(fetched.stamp);
    for (const FetchedSet& set : fetched.sets) {
      digest_.add(set.pmid);
      digest_.add(static_cast<uint64_t>(set.count));
      check(set.values.size() == static_cast<size_t>(std::max(set.count, 0)), "as many as said");
      const Desc* desc = metadata_.desc(set.pmid);
      for (const Value& value : set.values) {
        digest_.add(static_cast<uint64_t>(value.instance));
        add(set.format, desc == nullptr ? pm_type::aggregate : desc->pm_type, value);
      }
    }
  }
  void add(int code) { digest_.add(static_cast<uint64_t>(code)); }
  [[nodiscard]] const Digest& digest() const { return digest_; }

 private:
  void add(ValueFormat format, int type, const Value& value) {
    text_.clear();
    append_value(text_, format, type, value, {.zone = zone_});
    digest_.add(text_);
    if (type != pm_type::event && type != pm_type::highres_event) return;
    const auto records = unpack_events(format, value, type);
    if (!records) return add(records.error());
    for (const EventRecord& record : *records) {
      digest_.add(record.stamp);
      digest_.add(event_flags_text(record.flags));
      for (const EventParameter& parameter : record.parameters) {
        digest_.add(parameter.pmid);
        add(parameter.format, parameter.type, parameter.value);
      }
    }
  }

  const Metadata& metadata_;
  Zone zone_{"UTC"};
  std::string text_;
  Digest digest_;
};

struct Replay {
  const Archives& archives;
  std::vector<PmId> metrics;
  Profile profile;
  Stamp from;
  ReplayStep step;
  Between between;

  [[nodiscard]] Digest fetch(ReplayMode mode, bool whole_records) const {
    ReplayContext context(archives, BadVolumes::pass_over);
    context.set_mode(mode, from, step);
    context.set_between(between);
    ValueDigest values(archives.metadata());
    Fetched fetched;
    for (int i = 0; i < kFetchesMax; ++i) {
      const auto done =
          whole_records ? context.fetch_record(fetched) : context.fetch(metrics, profile, fetched);
      if (done) {
        values.add(fetched);
        continue;
      }
      values.add(done.error().pm_code());
      if (mode != ReplayMode::interpolated) break;
    }
    return values.digest();
  }
};

// The domains' even (1) or odd (2) instances only.
Profile profile_of(const Metadata& metadata, uint32_t parity) {
  Profile profile;
  if (parity == 0) return profile;
  for (const auto& [indom, domain] : metadata.domains) {
    std::vector<int32_t> wanted;
    for (const auto& instance : domain.instances_ever()) {
      if (static_cast<uint32_t>(instance.id) % 2 == parity - 1) wanted.push_back(instance.id);
    }
    profile.restrict(indom, std::move(wanted));
  }
  return profile;
}

void check_fetches(const Archives& archives, const std::vector<Seen>& records,
                   const ArchiveInput& input) {
  Replay replay{.archives = archives,
                .metrics = archives.metadata().pmids,
                .profile = profile_of(archives.metadata(), input.parameter(3) % 3),
                .from = archives.start(),
                .step = {.sec = 1},
                .between = input.parameter(3) / 3 % 2 == 0 ? Between::as_pcp : Between::exact};
  replay.metrics.push_back(kNullId);
  if (!records.empty()) {
    replay.from = records[input.parameter(0) % records.size()].stamp;
    const double mean = seconds_between(records.back().stamp, archives.start()) /
                        static_cast<double>(records.size());
    const double step = std::clamp(mean * (1 + input.parameter(2)) / 16, 1e-3, 1e9);
    replay.step.sec = static_cast<int64_t>(step);
    replay.step.nsec = static_cast<int32_t>((step - static_cast<double>(replay.step.sec)) * 1e9);
  }
  replay.from.sec += input.parameter(1) / 16;
  const auto check_twice = [&](ReplayMode mode, bool whole) {
    check(replay.fetch(mode, whole) == replay.fetch(mode, whole), "the same values once more");
  };
  for (const bool whole : {false, true}) {
    check_twice(ReplayMode::forward, whole);
    check_twice(ReplayMode::backward, whole);
  }
  check_twice(ReplayMode::interpolated, false);
  const auto end = archives.end();
  if (end) replay.from = *end;
  replay.step = {.sec = -replay.step.sec, .nsec = -replay.step.nsec};
  check_twice(ReplayMode::interpolated, false);
}

}  // namespace

const MemoryBound kMemory = {.fixed = 16u << 20, .per_byte = 600};

void run(Bytes all) {
  const ArchiveInput input = take_apart_input(all);
  if (const auto archives = open_archives(input)) {
    check_fetches(*archives, check_directions(*archives), input);
  }
}

}  // namespace pmjit::fuzz
