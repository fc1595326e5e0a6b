// Any PDUs of pmcd, to an agent that the library answers for: the agent goes on, and what it
// answers decodes, at most one PDU for each.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "agent/interface/include/pcp/pmda.h"
#include "runtime/base/byte_writer.h"
#include "runtime/base/result.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/frame.h"

namespace pmjit {
namespace {

constexpr int kDomain = 253;
constexpr size_t kHeaderBytes = 12, kBodyBytesMax = 4'096;

pmdaInstid instances[] = {{0, const_cast<char*>("red")}, {7, const_cast<char*>("deep blue")}};
pmdaIndom indoms[] = {{0, 2, instances}};

pmdaMetric metric(unsigned item, int type, pmInDom indom) {
  return {nullptr, {pmID_build(kDomain, 0, item), type, indom, PM_SEM_INSTANT, {}}};
}
pmdaMetric metrics[] = {metric(0, PM_TYPE_U32, PM_INDOM_NULL), metric(1, PM_TYPE_32, 0),
                        metric(2, PM_TYPE_STRING, 0), metric(3, PM_TYPE_U64, PM_INDOM_NULL),
                        metric(4, PM_TYPE_DOUBLE, PM_INDOM_NULL)};

int give_value(pmdaMetric* of, unsigned instance, pmAtomValue* out) {
  *out = {};
  if (of->m_desc.type == PM_TYPE_STRING) {
    out->cp = const_cast<char*>(instance == 0 ? "" : "a text");
  } else {
    out->ull = instance;
  }
  return PMDA_FETCH_STATIC;
}

int take_values(pmResult* stored, pmdaExt*) {
  for (int i = 0; i < stored->numpmid; ++i) {
    const pmValueSet& set = *stored->vset[i];
    for (int at = 0; at < set.numval; ++at) {
      pmAtomValue value{};
      const int status =
          pmExtractValue(set.valfmt, &set.vlist[at], PM_TYPE_STRING, &value, PM_TYPE_STRING);
      if (status >= 0) std::free(value.cp);
    }
  }
  return stored->numpmid > 2 ? PM_ERR_PERMISSION : 0;
}

int memory_file(const char* name) {
  const int fd = ::memfd_create(name, MFD_CLOEXEC);
  check(fd >= 0, "no memory for a channel");
  return fd;
}

class FuzzedAgent {
 public:
  FuzzedAgent() {
    // What the library logs of bad PDUs would be most of a long run's log.
    stderr = std::fopen("/dev/null", "w");
    pmdaDaemon(&dispatch_, PMDA_INTERFACE_7, const_cast<char*>("fuzzed"), kDomain, nullptr,
               nullptr);
    dispatch_.version.any.store = take_values;
    pmdaSetFetchCallBack(&dispatch_, give_value);
    pmdaInit(&dispatch_, indoms, 1, metrics, std::size(metrics));
    check(dispatch_.status == 0, "the agent is not set up");
    dispatch_.version.any.ext->e_infd = in_;
    dispatch_.version.any.ext->e_outfd = out_;
  }

  void take(Bytes pdu) {
    rewind(in_);
    rewind(out_);
    check(::write(in_, pdu.data(), pdu.size()) == static_cast<ssize_t>(pdu.size()), "no channel");
    ::lseek(in_, 0, SEEK_SET);
    (void)__pmdaMainPDU(&dispatch_);
    const off_t bytes = ::lseek(out_, 0, SEEK_CUR);
    if (bytes == 0) return;
    answer_.resize(static_cast<size_t>(bytes));
    check(::pread(out_, answer_.data(), answer_.size(), 0) == bytes, "no answer");
    const auto header = wire::read_header(answer_, UINT32_MAX);
    check(header && header->bytes == answer_.size(), "more than one answer, or half of one");
    check(wire::decode(answer_, {.route = wire::Route::agent_to_collector}).has_value(),
          "an answer that does not decode");
  }

 private:
  static void rewind(int fd) {
    check(::ftruncate(fd, 0) == 0, "no channel");
    ::lseek(fd, 0, SEEK_SET);
  }

  pmdaInterface dispatch_{};
  int in_ = memory_file("requests"), out_ = memory_file("answers");
  std::vector<std::byte> answer_;
};

}  // namespace
}  // namespace pmjit

// Recorded PDUs, one behind the other. Lengths are made true, so that each is whole.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pmjit;
  static auto* const agent = new FuzzedAgent();
  Bytes rest(reinterpret_cast<const std::byte*>(data), size);
  while (rest.size() >= kHeaderBytes) {
    const size_t said = load_be<uint32_t>(rest.data()) % kBodyBytesMax;
    const size_t bytes = std::min(std::max(said, kHeaderBytes), rest.size());
    ByteWriter pdu;
    pdu.u32(static_cast<uint32_t>(bytes));
    pdu.bytes(rest.subspan(4, bytes - 4));
    agent->take(pdu.written());
    rest = rest.subspan(bytes);
  }
  return 0;
}
