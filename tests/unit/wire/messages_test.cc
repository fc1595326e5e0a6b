// Messages written by hand: what no recording has, what is refused and how, and that no row of
// pdu.def is without an example.
#include <gtest/gtest.h>

#include <set>

#include "runtime/model/pm_codes.h"
#include "tests/unit/wire/round_trip.h"
#include "tests/unit/wire/wire_files.h"

namespace pmjit::wire {
namespace {

constexpr Channel kFromClient{.route = Route::client_to_collector};
constexpr Channel kFromCollector{.route = Route::collector_to_client};
constexpr Channel kLogger{.route = Route::logger_control};

std::vector<std::byte> encoded(const PduBody& body, int32_t from = 0) {
  ByteWriter out;
  encode({.from = from, .body = body}, out);
  return out.take();
}

std::vector<PduBody> logger_messages() {
  return {LogControlMessage{.control = 11,
                            .state = 2,
                            .delta_ms = 500,
                            .metrics = {{.pmid = 1, .instances = {{3, 4}, {5, 6}}}, {.pmid = 2}}},
          LogStatusV2Message{.bytes = "whatever"}, LogRequest{.what = 3},
          LogStatusMessage{.start = {.seconds = 1, .nanoseconds = 2},
                           .last = {.seconds = int64_t{1} << 33, .nanoseconds = 0},
                           .now = {},
                           .state = 1,
                           .volume = 2,
                           .size = int64_t{1} << 40,
                           .texts = {"host", "host.example", "UTC", "", "UTC", ":Europe/Paris"}}};
}

std::string refusal(std::string_view hex, const Channel& channel) {
  const auto bytes = bytes_of_hex(hex);
  GuardedBytes guarded(4096);
  const RoundTrip seen = round_trip(guarded.put(bytes), channel);
  return seen.decoded ? "decoded: " + seen.text : seen.text;
}

TEST(WireMessages, EveryRowHasAnExample) {
  std::set<PduType> seen;
  for (const RecordedPdu& recorded : recorded_pdus()) {
    if (const auto pdu = decode(recorded.bytes, recorded.channel)) seen.insert(row_of(*pdu).type);
  }
  for (const PduBody& body : logger_messages()) {
    const auto bytes = encoded(body);
    const RoundTrip trip = round_trip(bytes, kLogger);
    EXPECT_TRUE(trip.decoded) << trip.text;
    EXPECT_EQ(trip.encoded, bytes);
    seen.insert(row_of(*decode(bytes, kLogger)).type);
  }
  for (const PduRow& row : pdu_rows()) {
    EXPECT_TRUE(seen.contains(row.type)) << row.text << " has neither a recording nor a message";
    EXPECT_EQ(find_pdu(static_cast<uint32_t>(row.type)), &row);
  }
}

TEST(WireMessages, TheHelloTranslatesOldCodes) {
  const ErrorMessage denied{.code = pm_err::E_PERMISSION,
                            .hello = HelloWord{.version = 0, .licensed = 0}};
  EXPECT_EQ(encoded(denied), bytes_of_hex("00000014 00007000 00000000 fffffbee 00000000"));
  const auto hello =
      decode(bytes_of_hex("00000014 00007000 00000000 00000000 02010e44"), kFromCollector);
  const auto& error = std::get<ErrorMessage>(hello->body);
  EXPECT_EQ(error.code, 0);
  EXPECT_EQ(error.hello->version, 2);
  EXPECT_TRUE(error.hello->features.has(Feature::highres));
  EXPECT_FALSE(error.hello->features.has(Feature::secure));
  EXPECT_EQ(features_text(error.hello->features), "AUTH|CONTAINER|LABELS|HIGHRES|DESCS");
  // 12 and 24 bytes are no errors.
  EXPECT_NE(refusal("0000000c 00007000 00000000", kFromCollector).find("it ends within code"),
            std::string::npos);
  EXPECT_NE(refusal("00000018 00007000 00000000 00000000 00000000 00000000", kFromCollector)
                .find("8 bytes follow the code"),
            std::string::npos);
}

TEST(WireMessages, CredentialsAndWishes) {
  const CredsMessage creds{.credentials = {{.type = 1, .version = 1},
                                           {.type = 9, .version = 7},
                                           {.version = 2, .wishes = {Feature::container}}}};
  EXPECT_EQ(version_of(creds)->version, 2);
  EXPECT_FALSE(version_of(CredsMessage{.credentials = {{.type = 9}}}));
  EXPECT_EQ(unwelcome_wishes({Feature::secure, Feature::labels}), FeatureSet{Feature::labels});
  EXPECT_EQ(plain_value({.code = 12, .value = std::string_view("0\0", 2)}), "0");
}

TEST(WireMessages, ARefusalSaysWhatAndWhere) {
  EXPECT_EQ(refusal("0000001c 00007003 00000000 00000000 0000000000000000 00000002", kFromClient),
            "PDU FETCH, offset 24: 2 metrics do not fit the 0 bytes that follow\n"
            "  help: the sender breaks PCP's protocol; this PDU is not used");
  const auto refused = [](std::string_view hex, const Channel& channel, std::string_view why) {
    const std::string text = refusal(hex, channel);
    EXPECT_NE(text.find(why), std::string::npos) << text;
  };
  // Lengths that lie: nothing is allocated for them.
  refused("0000001c 00007003 00000000 00000000 0000000000000000 7fffffff", kFromClient,
          "2147483647 metrics do not fit");
  refused("00000018 0000700e 00000000 00000001 00000000 ffffffff", kFromClient,
          "the number of names is -1");
  refused("00000014 0000700f 00000000 00000000 7fffffff", kFromClient, "it ends within name");
  refused("00000018 00007001 00000000 00000000 00000000 7fffffff", kFromCollector,
          "do not fit the 0 bytes");
  // Two entries of a profile that together claim more than is there.
  refused(
      "0000003c 00007002 00000000 00000000 00000000 00000002 00000000"
      "00000001 00000000 00000000 00000000 00000002 00000000 00000005 00000000",
      kFromClient, "5 instances do not fit");
  refused("00000014 00007004 00000000 00000001 00000000", kFromClient,
          "4 bytes follow its last field");
  refused("00000014 00007016 00000000 00000000 00000001", kFromClient, "status is 0, not -1");
  refused("0000001c 0000700e 00000000 00000002 00000000 00000001 00000000", kFromClient, "decoded");
  refused("00000020 0000700e 00000000 00000002 00000000 00000001 00000002 61627e7e", kFromClient,
          "its names have 3 bytes, announced are 2");
}

TEST(WireMessages, AChannelHasItsPdus) {
  const auto desc = encoded(DescMessage{});
  EXPECT_TRUE(decode(desc, kFromCollector));
  EXPECT_NE(decode(desc, kFromClient).error().text().find("does not come from this side"),
            std::string::npos);
  const auto labels = encoded(LabelRequest{.ident = 2, .type = 2});
  EXPECT_TRUE(decode(labels, kFromClient));
  const Channel plain{.route = Route::client_to_collector, .features = {}};
  EXPECT_NE(decode(labels, plain).error().text().find("has not offered"), std::string::npos);
}

TEST(WireMessages, Texts) {
  const auto text = [](std::string_view hex, const Channel& channel) {
    const auto bytes = bytes_of_hex(hex);
    return message_text(*decode(bytes, channel));
  };
  EXPECT_EQ(text("00000024 00007003 0000002a 00000000 0000000000000000 00000002 3f400001 3f400000",
                 kFromClient),
            "FETCH from=42 context=0 metrics=[ 253.0.1; 253.0.0;]");
  EXPECT_EQ(text("00000094 00007001 00000000 6b0083fe 000ecf83 00000005"
                 "3f400001 00000003 00000000 00000000 00000006 00000001 0000006b 00000002 000000d1"
                 "3f400000 00000001 00000000 ffffffff 0000002e"
                 "07400012 00000001 00000001 ffffffff 00000020"
                 "07400017 00000001 00000001 ffffffff 00000022 3f400804 ffffcfba"
                 "04000008 49742400 0200000c 00000000000f4240",
                 kFromCollector),
            "RESULT from=0 seconds=1795195902 microseconds=970627 sets=[ 253.0.1: 0=6 1=107 2=209;"
            " 253.0.0: -1=46; 29.0.18: -1=FLOAT(1000000); 29.0.23: -1=64(1000000);"
            " 253.2.4: -12358 (Unknown or illegal metric identifier);]");
}

}  // namespace
}  // namespace pmjit::wire
