// What the process of a shared object leaves in memory for the collector, and what it lets the
// agent's library send.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "agent/host/left_answers.h"
#include "agent/interface/answer_memory.h"
#include "runtime/model/fetched_values.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/frame.h"

namespace pmjit {
namespace {

constexpr pmID kHostMetric = 251u << 22 | 1;

// A result of one set, as an agent has it.
struct AgentResult {
  explicit AgentResult(int count) : set(offsetof(pmValueSet, vlist) / 8 + 1 + 2 * size_t(count)) {
    values().pmid = kHostMetric;
    values().numval = count;
    values().valfmt = PM_VAL_INSITU;
    for (int i = 0; i < count; ++i) values().vlist[i] = {.inst = i, .value = {.lval = -3 * i}};
    result.numpmid = 1;
    result.vset[0] = &values();
  }
  pmValueSet& values() { return *reinterpret_cast<pmValueSet*>(set.data()); }
  // The same block for all.
  void put_block(unsigned type, const std::string& bytes) {
    block.assign((bytes.size() + 4 + 7) / 8, 0);
    auto* const to = reinterpret_cast<pmValueBlock*>(block.data());
    to->vtype = type & 0xff;
    to->vlen = static_cast<unsigned>(bytes.size() + 4) & 0xffffff;
    std::memcpy(to->vbuf, bytes.data(), bytes.size());
    values().valfmt = PM_VAL_DPTR;
    for (int i = 0; i < values().numval; ++i) values().vlist[i].value.pval = to;
  }

  std::vector<uint64_t> set, block;
  pmResult result{};
};

AgentResult* given = nullptr;
int given_status = 0, freed = 0;
int give(int, pmID*, pmResult** out, pmdaExt*) {
  *out = given == nullptr ? nullptr : &given->result;
  return given_status;
}
void count_freed(pmResult*) { ++freed; }

class HostAnswersTest : public testing::Test {
 protected:
  // Once for all: the process has one agent.
  static void SetUpTestSuite() {
    const int file = memfd_create("answers", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, AnswerMemory::kBytes), 0);
    memory = static_cast<std::byte*>(
        mmap(nullptr, AnswerMemory::kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    leave_answers_in(file);
    agent.version.any.fetch = give;
    leave_answers_of(agent);
    ext.e_resultCallBack = count_freed;
  }
  static int fetch(AgentResult* result, uint32_t room = 2) {
    given = result;
    freed = 0;
    std::memcpy(memory, &room, sizeof room);
    pmResult* out = nullptr;
    return agent.version.any.fetch(1, nullptr, &out, &ext);
  }
  // What is in the room now.
  static wire::ResultMessage left(uint32_t room = 2) {
    const std::byte* const at = memory + AnswerMemory::place_of(room);
    const auto header = wire::read_header({at, wire::kHeaderBytes}, AnswerMemory::kRoomBytes);
    const auto pdu = wire::decode({at, header->bytes}, {.route = wire::Route::agent_to_collector});
    EXPECT_TRUE(pdu) << pdu.error().text();
    return pdu ? std::get<wire::ResultMessage>(pdu->body) : wire::ResultMessage{};
  }

  static inline std::byte* memory = nullptr;
  static inline pmdaInterface agent{};
  static inline pmdaExt ext{};
};

TEST_F(HostAnswersTest, NumbersStandInPlace) {
  AgentResult many(3'000);
  many.result.timestamp.tv_sec = 16;
  EXPECT_EQ(fetch(&many), AnswerMemory::kLeftInMemory);
  EXPECT_EQ(freed, 1);
  const wire::ResultMessage result = left();
  EXPECT_EQ(result.seconds, 16);
  const ValueSet& set = result.sets.layout.sets.at(0);
  EXPECT_EQ(set.pmid, kHostMetric);
  ASSERT_EQ(set.count, 3'000);
  const std::byte* const last = result.sets.head.bytes.data() + set.pairs + 8 * 2'999;
  EXPECT_EQ(load_be<uint32_t>(last), 2'999u);
  EXPECT_EQ(static_cast<int32_t>(load_be<uint32_t>(last + 4)), -3 * 2'999);
  many.result.timestamp.tv_sec = 1'700'000'000;  // a time is no change
  EXPECT_EQ(fetch(&many, 1), AnswerMemory::kLeftInMemory);
  EXPECT_EQ(left(1).seconds, 0);
}

TEST_F(HostAnswersTest, BlocksFollow) {
  const uint64_t number = 0x0102030405060708;
  const std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
  const std::pair<int, std::string> blocks[] = {{PM_TYPE_U64, bytes},
                                                {PM_TYPE_DOUBLE, bytes},
                                                {PM_TYPE_FLOAT, bytes.substr(4)},
                                                {PM_TYPE_STRING, "text of 17 bytes"},
                                                {PM_TYPE_AGGREGATE, "12345"}};
  for (const auto& [type, value] : blocks) {
    AgentResult many(3'000);
    many.put_block(static_cast<unsigned>(type), value);
    ASSERT_EQ(fetch(&many), AnswerMemory::kLeftInMemory) << type;
    const wire::ResultMessage result = left();
    const ValueSet& set = result.sets.layout.sets.at(0);
    const StoredBlock last = stored_block(result.sets.head, result.sets.layout, set, 2'999);
    EXPECT_EQ(last.type, type);
    std::string wanted = value;
    const bool is_number = type != PM_TYPE_STRING && type != PM_TYPE_AGGREGATE;
    if (is_number) std::ranges::reverse(wanted);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(last.data.data()), last.data.size()),
              wanted);
  }
}

TEST_F(HostAnswersTest, TheLibrarySendsWhatIsNotLeft) {
  AgentResult few(2'000), many(3'000), most(600'000), null(3'000), none(3'000), odd(3'000);
  EXPECT_EQ(fetch(&few), 0) << "small";
  EXPECT_EQ(fetch(&most), 0) << "larger than a room";
  EXPECT_EQ(fetch(&many, 0), 0) << "no room is free";
  EXPECT_EQ(fetch(&many, 3), 0) << "there is no such room";
  many.put_block(PM_TYPE_EVENT, std::string(64, '\0'));
  EXPECT_EQ(fetch(&many), 0) << "events";
  odd.put_block(PM_TYPE_U64, "five.");
  EXPECT_EQ(fetch(&odd), 0) << "no number of 8 bytes";
  odd.values().valfmt = 7;
  EXPECT_EQ(fetch(&odd), 0) << "no format";
  null.put_block(PM_TYPE_U64, "a number");
  null.values().valfmt = PM_VAL_SPTR;
  null.values().vlist[5].value.pval = nullptr;
  EXPECT_EQ(fetch(&null), 0) << "no block";
  none.result.vset[0] = nullptr;
  EXPECT_EQ(fetch(&none), 0) << "no set";
  EXPECT_EQ(fetch(nullptr), 0) << "no result";
  EXPECT_EQ(freed, 0);
}

TEST_F(HostAnswersTest, CodesAreTheAgentsOwn) {
  for (const int code : {PM_ERR_AGAIN, -5, 3}) {
    given_status = code;
    EXPECT_EQ(fetch(nullptr), code);
  }
  AgentResult many(3'000);
  EXPECT_EQ(fetch(&many), AnswerMemory::kLeftInMemory) << "a number above 0 is no error";
  given_status = AnswerMemory::kLeftInMemory;
  EXPECT_EQ(fetch(nullptr), PM_ERR_GENERIC) << "but for that of a notice";
  given_status = 0;
}

}  // namespace
}  // namespace pmjit
