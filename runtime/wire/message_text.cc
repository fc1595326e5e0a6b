// message_text(): the `io` of layouts.h that prints. For tests, and for whoever looks at a
// connection; no program reads it.
#include <fmt/format.h>

#include <bit>

#include "runtime/model/fetched_values.h"
#include "runtime/model/pm_codes.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/layouts.h"

namespace pmjit::wire {

namespace {

std::string hex_text(Bytes bytes) {
  std::string out;
  for (const std::byte byte : bytes) fmt::format_to(std::back_inserter(out), "{:02x}", byte);
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte >= 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string block_text(const StoredBlock& block) {
  const std::byte* at = block.data.data();
  const size_t bytes = block.data.size();
  const auto typed = [&](auto value) {
    return fmt::format("{}({})", pm_type_text(block.type), value);
  };
  if (bytes == 8 && is_of_8(block.type)) {
    const auto bits = load_be<uint64_t>(at);
    if (block.type == pm_type::f64) return typed(std::bit_cast<double>(bits));
    if (block.type == pm_type::u64) return typed(bits);
    return typed(static_cast<int64_t>(bits));
  }
  if (bytes == 4 && block.type == pm_type::f32) {
    return typed(std::bit_cast<float>(load_be<uint32_t>(at)));
  }
  if (block.type == pm_type::string) {
    return quoted({reinterpret_cast<const char*>(at), bytes});
  }
  return typed(hex_text(block.data));
}

std::string status_text(int32_t status) {
  return status == 0 ? "none" : fmt::format("{} ({})", status, pm_error_text(status));
}

class MessagePrinter {
 public:
  explicit MessagePrinter(std::string& out) : out_(out) {}

  template <class T>
  void number(std::string_view name, const T& value) {
    field(name, fmt::format("{}", value));
  }
  template <class T>
  void hex(std::string_view name, const T& value) {
    field(name, fmt::format("{:#x}", value));
  }
  void pmid(std::string_view name, PmId value) { field(name, pmid_text(value)); }
  void indom(std::string_view name, InDomId value) { field(name, indom_text(value)); }
  void flag(std::string_view name, bool value) { field(name, value ? "yes" : "no"); }
  void features(std::string_view name, FeatureSet value) { field(name, features_text(value)); }
  void zeros(size_t) {}
  void constant(std::string_view, int32_t) {}
  void require(bool, std::string_view) {}
  void desc(const Desc& desc) {
    pmid("metric", desc.pmid);
    field("type", pm_type_text(desc.pm_type));
    indom("domain", desc.indom);
    field("semantics", semantics_text(desc.semantics));
    field("units", fmt::format("{:#010x}", units_to_word(desc.units)));
  }
  void counted(std::string_view name, std::string_view text) { field(name, quoted(text)); }
  void rest(std::string_view name, std::string_view text) { field(name, quoted(text)); }
  void texts(const std::array<std::string_view, 6>& texts) {
    for (const auto text : texts) field("text", quoted(text));
  }
  template <class T>
  void count(std::string_view name, const std::vector<T>& list, size_t, size_t) {
    number(name, list.size());
  }
  template <class T, class Each>
  void elements(std::string_view name, const std::vector<T>& list, size_t, Each&& each) {
    out_.append(" ").append(name).append("=[");
    for (const T& one : list) {
      each(one);
      out_ += ';';
    }
    out_ += ']';
  }
  template <class T, class Each>
  void list(std::string_view name, const std::vector<T>& all, size_t bytes, size_t, Each&& each) {
    elements(name, all, bytes, each);
  }
  void pmids(std::string_view name, const std::vector<PmId>& all, size_t) {
    elements(name, all, 4, [&](PmId one) { out_.append(" ").append(pmid_text(one)); });
  }
  void error_code(int32_t code, const std::optional<HelloWord>&) {
    // Above 0 are bits, whose sum is a number.
    field("code", code < 0 ? status_text(code) : fmt::format("{}", code));
  }
  void names_head(const NamesMessage&) {}
  void names_end(const NamesMessage&) {}
  void label_sets(const std::vector<SentLabels>& sets) {
    elements("sets", sets, 0, [&](const SentLabels& set) {
      number("instance", set.instance);
      if (set.status != 0) field("status", status_text(set.status));
      field("json", quoted(set.json));
      elements("places", set.places, 0, [&](const LabelPlace& place) { walk_place(*this, place); });
    });
  }
  void sets(const ResultSets& sets) {
    elements("sets", sets.layout.sets, 0, [&](const ValueSet& set) {
      out_.append(" ").append(pmid_text(set.pmid)).append(":");
      if (set.count <= 0) out_.append(" ").append(status_text(set.count));
      for (uint32_t i = 0; i < static_cast<uint32_t>(std::max(set.count, 0)); ++i) {
        const std::byte* pair = sets.head.bytes.data() + set.pairs + size_t{i} * 8;
        field(fmt::format("{}", static_cast<int32_t>(load_be<uint32_t>(pair))),
              set.in_place ? fmt::format("{}", load_be<uint32_t>(pair + 4))
                           : block_text(stored_block(sets.head, sets.layout, set, i)));
      }
    });
  }
  template <class Between>
  void sets_behind(const ResultSets& all, Between&& between) {
    between(*this);
    sets(all);
  }

 private:
  void field(std::string_view name, std::string_view value) {
    out_.append(" ").append(name).append("=").append(value);
  }
  std::string& out_;
};

}  // namespace

std::string message_text(const Pdu& pdu) {
  std::string out = fmt::format("{} from={}", row_of(pdu).text, pdu.from);
  MessagePrinter printer(out);
  std::visit(
      [&]<class Message>(const Message& message) {
        if constexpr (!Of<Message, std::monostate>) walk(printer, message);
      },
      pdu.body);
  return out;
}

}  // namespace pmjit::wire
