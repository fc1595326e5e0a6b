#include "runtime/archive/format/label.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/archive/format/names.h"

namespace pmjit {

namespace {

struct LabelLayout {
  size_t volume, features, host, host_bytes, timezone, timezone_bytes, zoneinfo;
};
constexpr LabelLayout kV2{.volume = 20,
                          .features = 0,
                          .host = 24,
                          .host_bytes = 64,
                          .timezone = 88,
                          .timezone_bytes = 40,
                          .zoneinfo = 0};
constexpr LabelLayout kV3{.volume = 24,
                          .features = 28,
                          .host = 36,
                          .host_bytes = 256,
                          .timezone = 292,
                          .timezone_bytes = 256,
                          .zoneinfo = 548};

constexpr std::string_view kNoArchive = "is not a file of a PCP archive",
                           kBase =
                               "name an archive by its base: foo for foo.meta, foo.index, foo.0";

std::string padded_text(Bytes raw) {
  const auto end = std::ranges::find(raw, std::byte{0});
  return {reinterpret_cast<const char*>(raw.data()), static_cast<size_t>(end - raw.begin())};
}

std::unexpected<Damage> bad_label(std::string_view what, uint64_t offset) {
  return std::unexpected<Damage>({.what = what, .offset = offset, .pm_code = pm_err::E_LABEL});
}

std::string way_out(int pm_code, const std::string& file_name) {
  const bool is_volume = !file_name.ends_with(".meta") && !file_name.ends_with(".index");
  if (!is_volume && (pm_code == pm_err::E_LOGREC || pm_code == pm_err::E_NODATA)) {
    return "copy all files of the archive again";
  }
  switch (pm_code) {
    case pm_err::E_LOGREC: {
      const std::string base = base_of(file_name);
      return fmt::format(
          "records before this offset are intact; pmjit info {} shows what can be read",
          base.empty() ? "ARCHIVE" : base);
    }
    case pm_err::E_LABEL: return "check that all files of the archive come from the same recording";
    case pm_err::E_NODATA: return "nothing was recorded into this archive";
    case pm_err::E_RECTYPE: return "the file is damaged, or was written by a newer version of PCP";
    case pm_err::E_FEATURE: return "the archive was written by a newer version of PCP";
    default:
      return "record one metric with one meaning in an archive; PCP's pmlogrewrite can mend it";
  }
}

}  // namespace

OrDamage<Label> read_label(Bytes file, int32_t volume, Features features) {
  if (file.size() < 8) {
    const std::string_view what = file.empty() ? "the file is empty" : kNoArchive;
    return std::unexpected<Damage>({.what = what, .pm_code = pm_err::E_NODATA});
  }
  const auto* at = file.data();
  const uint32_t magic = load_be<uint32_t>(at + 4);
  if ((magic & ~0xffu) != kLabelMagic) return bad_label(kNoArchive, 4);
  if ((magic & 0xff) != 2 && (magic & 0xff) != 3) {
    return bad_label("archive version is neither 2 nor 3", 4);
  }
  Label label{.version = static_cast<Version>(magic & 0xff)};
  const size_t bytes = label_bytes(label.version);
  if (load_be<uint32_t>(at) != bytes) return bad_label("label has the wrong length", 0);
  if (file.size() < bytes) return bad_label("label is cut short", 0);
  if (load_be<uint32_t>(at + bytes - 4) != bytes) {
    return bad_label("label's last word is not its length", bytes - 4);
  }
  const LabelLayout& layout = label.version == Version::v2 ? kV2 : kV3;
  label.pid = static_cast<int32_t>(load_be<uint32_t>(at + 8));
  label.start = load_stamp(at + 12, label.version).value_or(kStampMax);
  label.volume = static_cast<int32_t>(load_be<uint32_t>(at + layout.volume));
  if (label.volume != volume) return bad_label("label is that of another file", layout.volume);
  if (label.version == Version::v3) {
    label.features = load_be<uint32_t>(at + layout.features);
    if (features == Features::known && (label.features & ~kFeatureQa) != 0) {
      return std::unexpected<Damage>({.what = "label asks for a feature that is not supported",
                                      .offset = layout.features,
                                      .pm_code = pm_err::E_FEATURE});
    }
    label.zoneinfo = padded_text(file.subspan(layout.zoneinfo, 256));
  }
  label.host = padded_text(file.subspan(layout.host, layout.host_bytes));
  label.timezone = padded_text(file.subspan(layout.timezone, layout.timezone_bytes));
  return label;
}

bool same_recording(const Label& label, const Label& first) {
  return label.version == first.version && label.pid == first.pid && label.host == first.host;
}

Error damage_error(const std::string& file_name, const Damage& damage) {
  return Error(Fault::format, std::string(damage.what))
      .at("offset", fmt::format("{}", damage.offset))
      .at("file", file_name)
      .pm_code(damage.pm_code)
      .help(damage.what == kNoArchive ? std::string(kBase) : way_out(damage.pm_code, file_name));
}

}  // namespace pmjit
