// pmstore: gives a metric of a host another value. Source: spec pmapi.md §24.4.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "runtime/cmd/dropin.h"
#include "runtime/cmd/live_session.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/session.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/float_text.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

constexpr OptionRow kStoreRows[] = {
    section("General options"),
    standard(Standard::debug),
    standard(Standard::host),
    standard(Standard::local),
    standard(Standard::spec_local),
    standard(Standard::name_space),
    standard(Standard::version),
    standard(Standard::help),
    section("Value options"),
    own('F', "fetch", "", "fetch the metric again and show that value as the new one"),
    own('f', "force", "", "store although the metric has no value now"),
    own('i', "insts", "INSTS", "store for these instances only: names, with commas between"),
};
// A value may begin with a hyphen.
constexpr OptionTable kStoreTable{
    .usage = "[options] metricname value", .rows = kStoreRows, .operands_end_options = true};

struct StoreRequest {
  std::string metric, text;
  std::vector<std::string> instances;  // none: all
  bool again = false, force = false;
};

// The words of -i: apart by blanks and commas; quotes mean nothing.
std::vector<std::string> instance_words(std::string_view text) {
  constexpr std::string_view kBetween = ", \t\n";
  std::vector<std::string> out;
  size_t at = 0;
  while ((at = text.find_first_not_of(kBetween, at)) != text.npos) {
    const size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

class ValueStore {
 public:
  ValueStore(const StoreRequest& request, LiveSession& session, ToolOutput& out, Messages& messages)
      : request_(request), session_(session), out_(out), messages_(messages) {}

  [[nodiscard]] bool run() {
    if (!look_up() || !choose_instances()) return false;
    const auto old = fetch("pre pmFetch");
    if (!old || !values_are_there(*old) || !read_text()) return false;
    const FetchedSet wanted = set_of(*old);
    if (const auto stored = context().store({&wanted, 1}); !stored) {
      out_.print("{}: new value=\"{}\" pmStore: {}\n", request_.metric, request_.text,
                 pm_error_text(stored.error()));
      return false;
    }
    if (!request_.again) return put_all(texts_of(*old), old_instances_, texts_of(wanted));
    const auto before = texts_of(*old);
    const auto after = fetch("post pmFetch");
    return after && values_are_there(*after) && put_all(before, old_instances_, texts_of(*after));
  }

 private:
  [[nodiscard]] Context& context() { return session_.metrics(); }

  [[nodiscard]] bool failed(std::string_view step, int code) {
    out_.print("{}: {}: {}\n", request_.metric, step, pm_error_text(code));
    return false;
  }

  [[nodiscard]] bool look_up() {
    const auto pmid = context().look_up(request_.metric);
    if (!pmid) return failed("pmLookupName", pmid.error());
    const auto desc = context().describe(*pmid);
    if (!desc) return failed("pmLookupDesc", desc.error());
    desc_ = *desc;
    const bool aggregate =
        desc_.pm_type == pm_type::aggregate || desc_.pm_type == pm_type::aggregate_static;
    if (aggregate || is_event_type(desc_.pm_type)) {
      messages_.complain(fmt::format("Cannot modify values for {} metrics",
                                     aggregate ? "PM_TYPE_AGGREGATE" : "event type"));
      return false;
    }
    return true;
  }

  [[nodiscard]] bool choose_instances() {
    if (request_.instances.empty()) return true;
    std::vector<int32_t> chosen;
    for (const std::string& name : request_.instances) {
      const auto id = context().instance_id(desc_.indom, name);
      if (!id) {
        out_.print("pmLookupInDom {}[{}]: {}\n", request_.metric, name, pm_error_text(id.error()));
        return false;
      }
      chosen.push_back(*id);
    }
    profile_.restrict(desc_.indom, std::move(chosen));
    return true;
  }

  // Values are the context's until the next fetch.
  [[nodiscard]] std::optional<FetchedSet> fetch(std::string_view step) {
    const PmId pmid = desc_.pmid;
    if (const auto done = context().fetch({&pmid, 1}, profile_, fetched_); !done) {
      (void)failed(step, done.error().pm_code() != 0 ? done.error().pm_code() : pm_err::E_IPC);
      return std::nullopt;
    }
    return fetched_.sets.front();
  }

  // With -f a metric without values gets one.
  [[nodiscard]] bool values_are_there(const FetchedSet& set) {
    if (set.count < 0) return failed("Error", set.count);
    if (set.count > 0 || request_.force) return true;
    out_.print("{}: No value(s) available!\n", request_.metric);
    return false;
  }

  [[nodiscard]] bool read_text() {
    const auto atom = atom_from_text(desc_.pm_type, request_.text);
    if (atom) {
      atom_ = *atom;
      return true;
    }
    const std::string_view type = pm_type_text(desc_.pm_type);
    messages_.add(atom.error() == -ERANGE
                      ? fmt::format("The value \"{}\" is out of range for the data type "
                                    "(PM_TYPE_{})\n",
                                    request_.text, type)
                      : fmt::format("The value \"{}\" is incompatible with the data type "
                                    "(PM_TYPE_{})\n",
                                    request_.text, type));
    return false;
  }

  [[nodiscard]] FetchedSet set_of(const FetchedSet& old) {
    const bool in_place = desc_.pm_type == pm_type::i32 || desc_.pm_type == pm_type::u32;
    FetchedSet set{.pmid = desc_.pmid,
                   .format = in_place ? ValueFormat::in_place : ValueFormat::block};
    Value value{.type = static_cast<uint8_t>(desc_.pm_type)};
    if (in_place) {
      value.word = atom_.u32;
    } else {
      fill_block();
      value.block = block_;
    }
    for (const Value& before : old.values) {
      value.instance = before.instance;
      set.values.push_back(value);
    }
    if (set.values.empty()) {
      value.instance = kSingular;
      set.values.push_back(value);
    }
    set.count = static_cast<int32_t>(set.values.size());
    for (const Value& before : set.values) old_instances_.push_back(before.instance);
    return set;
  }

  void fill_block() {
    if (desc_.pm_type == pm_type::string) {
      block_.resize(request_.text.size() + 1);
      std::memcpy(block_.data(), request_.text.c_str(), block_.size());
      return;
    }
    block_.resize(desc_.pm_type == pm_type::f32 ? sizeof(float) : sizeof(double));
    std::memcpy(block_.data(), &atom_.u64, block_.size());
  }

  [[nodiscard]] std::vector<std::string> texts_of(const FetchedSet& set) {
    std::vector<std::string> out;
    for (const Value& value : set.values) {
      append_value(out.emplace_back(), set.format, desc_.pm_type, value, {.zone = session_.zone()});
    }
    return out;
  }

  [[nodiscard]] bool put_all(const std::vector<std::string>& before,
                             const std::vector<int32_t>& instances,
                             const std::vector<std::string>& after) {
    for (size_t i = 0; i < instances.size(); ++i) {
      out_ << request_.metric;
      if (desc_.indom != kNullId) put_instance(instances[i]);
      out_.print(" old value={} new value={}\n", i < before.size() ? before[i] : "\"(none)\"",
                 i < after.size() ? after[i] : "\"(none)\"");
    }
    return true;
  }

  void put_instance(int32_t instance) {
    const auto name = context().instance_name(desc_.indom, instance);
    out_.print(" inst [{}", instance);
    if (name) out_.print(" or \"{}\"", *name);
    out_ << "]";
  }

  const StoreRequest& request_;
  LiveSession& session_;
  ToolOutput& out_;
  Messages& messages_;
  Desc desc_{};
  Profile profile_;
  Atom atom_{};
  std::vector<std::byte> block_;
  std::vector<int32_t> old_instances_;
  Fetched fetched_;
};

}  // namespace

int run_pmstore(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock) {
  OptionReader reader(kStoreTable, argc, argv, derived);
  StoreRequest request;
  while (const auto option = reader.next()) {
    switch (option->row->letter) {
      case 'F': request.again = true; break;
      case 'f': request.force = true; break;
      case 'i': request.instances = instance_words(option->argument); break;
      default: break;
    }
  }
  if (!reader.over() && reader.operands().size() != 2) reader.ask_for_usage();
  const Options& options = reader.finish();
  if (reader.over()) return reader.usage();
  request.metric = options.operands[0];
  request.text = options.operands[1];
  ToolOutput out;
  bool done = false;
  constexpr std::string_view kNoLocal = "Cannot make standalone local connection";
  if (const auto session =
          LiveSession::open(options, kNoLocal, derived, clock, reader.messages())) {
    done = ValueStore(request, *session, out, reader.messages()).run();
  }
  return end_dropin(out, reader.messages(), done ? 0 : 1);
}

}  // namespace pmjit
