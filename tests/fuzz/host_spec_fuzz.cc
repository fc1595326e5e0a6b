// Host specifications: every text is read, or refused at a place within it; what was read is of
// parts of the text, and reads the same again; without its password, which is not shown, too.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/base/byte_writer.h"
#include "runtime/base/result.h"
#include "runtime/client/host_spec.h"
#include "runtime/wire/codec.h"

namespace pmjit {
namespace {

void check_refused(std::string_view text, const HostSpecProblem& problem) {
  check(problem.code < 0, "a problem has its code");
  check(problem.offset <= text.size(), "a problem has its place");
  check(!spec_error(text, problem).help().empty(), "an error says what to type");
  check(problem.message.empty() || pcp_text(text, problem).ends_with('\n'), "a message is a line");
}

void check_read(std::string_view text, const HostSpec& spec) {
  check(spec.path.empty() || spec.path.front() == '/', "a path begins with a slash");
  check(spec.kind == HostSpec::Kind::remote || spec.addresses.empty(), "a socket has no host");
  if (const auto refused = spec_refusal(spec)) {
    check(refused->pm_code() < 0 && !refused->help().empty(), "a refusal has its code and help");
  } else {
    check(!spec.host().empty(), "what can be connected to has a name");
    // As the client asks for it: a value that no request has room for must have been refused.
    ByteWriter out;
    wire::encode(
        {.body = wire::AttributeMessage{.code = 15, .value = spec.container().value_or("")}}, out);
  }
  const auto again = parse_host_spec(text);
  check(again && again->addresses.size() == spec.addresses.size() &&
            again->attributes == spec.attributes && again->path == spec.path,
        "the same text reads the same");
  const auto shown = parse_host_spec(spec.text);
  check(shown && shown->addresses.size() == spec.addresses.size() && shown->path == spec.path,
        "what is shown reads the same, but for the password");
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto spec = parse_host_spec(text)) {
    check_read(text, *spec);
  } else {
    check_refused(text, spec.error());
  }
  return 0;
}
