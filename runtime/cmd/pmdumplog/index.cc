// The temporal index, and what is wrong with it. Source: spec tools.md §2.12.

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "runtime/archive/format/decompressor.h"
#include "runtime/archive/reader/index.h"
#include "runtime/cmd/pmdumplog/dump.h"

namespace pmjit {

namespace {

constexpr int32_t kNanosecondMax = 999'999'999;

// Of compressed ones the contents count; what cannot be read has no end that is known.
int64_t bytes_of(const VolumeFile& volume) {
  if (const auto contents = Volume::open(volume, nullptr)) {
    return static_cast<int64_t>(contents->size());
  }
  const bool plain = take_apart(volume.path).compression == Compression::none;
  std::error_code none;
  return plain && std::filesystem::is_regular_file(volume.path, none)
             ? static_cast<int64_t>(volume.bytes)
             : INT64_MAX;
}

class IndexDump {
 public:
  explicit IndexDump(Dump& dump) : dump_(dump) {}

  void print(const IndexEntry& entry) {
    dump_.out.print("{}\t  {:5}  {:11}  {:11}\n", dump_.stamps(entry.stamp), entry.volume,
                    entry.meta_offset, entry.data_offset);
    if (previous_ == nullptr || entry.volume != previous_->volume) enter_volume(entry.volume);
    check_alone(entry);
    if (previous_ != nullptr) check_order(entry, *previous_);
    previous_ = &entry;
  }

 private:
  void enter_volume(int32_t number) {
    const auto& volumes = dump_.archive().volumes();
    const auto volume = std::ranges::find(volumes, number, &VolumeFile::number);
    has_volume_ = volume != volumes.end();
    if (has_volume_) {
      volume_bytes_ = bytes_of(*volume);
    } else {
      tell(fmt::format("Warning: file missing for log volume {}", number));
    }
  }

  void check_alone(const IndexEntry& entry) {
    const Stamp stamp = entry.stamp;
    if (stamp.sec < 0 || stamp.nsec < 0 || stamp.nsec > kNanosecondMax) {
      tell(fmt::format("Error: illegal timestamp value ({} sec, {} nsec)", stamp.sec, stamp.nsec));
    }
    const auto meta_bytes = static_cast<int64_t>(dump_.archive().meta_bytes());
    if (entry.meta_offset > meta_bytes) {
      tell(fmt::format("Error: offset to meta file past end of file ({})", meta_bytes));
    }
    if (has_volume_ && entry.data_offset > volume_bytes_) {
      tell(fmt::format("Error: offset to log file past end of file ({})", volume_bytes_));
    }
  }

  void check_order(const IndexEntry& entry, const IndexEntry& previous) {
    if (seconds_between(entry.stamp, previous.stamp) < 0) {
      tell(fmt::format("Error: timestamp went backwards in time {} -> {}",
                       dump_.stamps.clock(previous.stamp), dump_.stamps.clock(entry.stamp)));
    }
    if (entry.volume < previous.volume) tell("Error: volume number decreased");
    if (entry.volume != previous.volume) return;
    if (entry.meta_offset < previous.meta_offset) tell("Error: offset to meta file decreased");
    if (entry.data_offset < previous.data_offset) tell("Error: offset to log file decreased");
  }

  void tell(std::string_view text) { dump_.out << "\t\t" << text << '\n'; }

  Dump& dump_;
  const IndexEntry* previous_ = nullptr;
  bool has_volume_ = false;
  int64_t volume_bytes_ = 0;  // where there is one
};

// The archive's label. Source: spec tools.md §2.5.

// Bits that nobody knows, from the highest down.
std::string unknown_features(uint32_t features) {
  std::string out;
  for (int bit = 31; bit >= 0; --bit) {
    if (((features & ~kFeatureQa) >> bit & 1) == 0) continue;
    out += fmt::format(" bit_{:02}", bit);
  }
  return out.empty() ? out : fmt::format(" [unknown:{}]", out);
}

void dump_long(const Label& label, ToolOutput& out) {
  if (!label.timezone.empty()) out.print("Archive timezone: {}\n", label.timezone);
  if (!label.zoneinfo.empty()) out.print("Archive zoneinfo: {}\n", label.zoneinfo);
  if (label.features != 0) {
    out.print("Archive features: {:#x}{}\n", label.features, unknown_features(label.features));
  }
  out.print("PID for pmlogger: {}\n", label.pid);
}

}  // namespace

void dump_index(Dump& dump) {
  const bool wide_stamps = dump.archives.label().version == Version::v3;
  const int detail = dump.stamps.detail();
  const int tabs = 2 + (detail > 0 ? 2 : 0) + (detail > 1 ? 2 : 0) + (wide_stamps ? 1 : 0);
  dump.out << "\nTemporal Index\n" << std::string(static_cast<size_t>(tabs), '\t');
  dump.out << "Log Vol    end(meta)     end(log)\n";
  IndexDump printer(dump);
  for (const IndexEntry& entry : dump.archive().index()) printer.print(entry);
}

void dump_label(Dump& dump, std::optional<Stamp> end) {
  const Label& label = dump.archives.label();
  ToolOutput& out = dump.out;
  const auto stamp = [&](Stamp s) {
    std::string text = dump.stamps.date(s);
    if (dump.stamps.detail() > 2) text += fmt::format(" {}", s.sec);
    return text;
  };
  out.print("Log Label (Log Format Version {})\n", static_cast<int>(label.version));
  out.print("Performance metrics from host {}\n", label.host);
  out.print("    commencing {}\n", stamp(label.start));
  out.print("    ending     {}\n", end ? stamp(*end) : "UNKNOWN");
  if (dump.request.long_label) dump_long(label, out);
}

}  // namespace pmjit
