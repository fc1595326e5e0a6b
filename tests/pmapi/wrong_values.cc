// Values, texts of them, units, zones and times with wrong arguments.
#include <cmath>
#include <utility>

#include "tests/pmapi/wrong_calls.h"

namespace pmjit {

void wrong_values() {
  pmAtomValue atom{.ul = 7}, out{};
  pmValue value{};
  pmUnits units{}, bytes{};
  bytes.dimSpace = 1;
  pmResult** records = nullptr;
  pmHighResResult** fine = nullptr;
  pmValueSet set{.pmid = g_known.load, .numval = 1, .valfmt = PM_VAL_INSITU, .vlist = {}};
  WANT(PM_ERR_CONV, pmExtractValue(-1, &value, PM_TYPE_32, &out, PM_TYPE_32));
  WANT(PM_ERR_CONV, pmExtractValue(99, &value, PM_TYPE_32, &out, PM_TYPE_32));
  WANT(PM_ERR_CONV, pmExtractValue(PM_VAL_INSITU, nullptr, PM_TYPE_32, &out, PM_TYPE_32));
  WANT(PM_ERR_CONV, pmExtractValue(PM_VAL_INSITU, &value, -1, &out, PM_TYPE_32));
  WANT(PM_ERR_CONV, pmExtractValue(PM_VAL_INSITU, &value, PM_TYPE_STRING, &out, PM_TYPE_32));
  WANT(-EINVAL, pmExtractValue(PM_VAL_INSITU, &value, PM_TYPE_32, nullptr, PM_TYPE_32));
  WANT(PM_ERR_CONV, pmExtractValue(PM_VAL_INSITU, &value, PM_TYPE_32, &out, -1));
  WANT(0, pmExtractValue(PM_VAL_INSITU, &value, PM_TYPE_32, &out, 0));
  WANT(PM_ERR_CONV, pmExtractValue(PM_VAL_DPTR, &value, PM_TYPE_64, &out, PM_TYPE_64));
  WANT(PM_ERR_CONV, pmExtractValue(PM_VAL_SPTR, &value, PM_TYPE_STRING, &out, PM_TYPE_STRING));
  WANT(PM_ERR_CONV, pmConvScale(-1, &atom, &units, &out, &units));
  WANT(-EINVAL, pmConvScale(0, nullptr, &bytes, &out, &bytes));
  WANT(-EINVAL, pmConvScale(PM_TYPE_U32, nullptr, &bytes, &out, &bytes));
  WANT(-EINVAL, pmConvScale(PM_TYPE_U32, &atom, nullptr, &out, &bytes));
  WANT(-EINVAL, pmConvScale(PM_TYPE_U32, &atom, &bytes, nullptr, &bytes));
  WANT(-EINVAL, pmConvScale(PM_TYPE_U32, &atom, &bytes, &out, nullptr));
  WANT(PM_ERR_CONV, pmConvScale(PM_TYPE_U32, &atom, &bytes, &out, &units));
  WANT(PM_ERR_CONV, pmConvScale(PM_TYPE_STRING, &atom, &bytes, &out, &bytes));
  RETURNS(pmPrintValue(nullptr, PM_VAL_INSITU, PM_TYPE_32, &value, 1));
  RETURNS(pmPrintValue(stderr, PM_VAL_INSITU, PM_TYPE_32, nullptr, 1));
  RETURNS(pmPrintValue(stderr, PM_VAL_INSITU, PM_TYPE_32, &value, 0));
  RETURNS(pmPrintValue(stderr, -1, PM_TYPE_32, &value, -1));
  RETURNS(pmPrintValue(stderr, PM_VAL_INSITU, -1, &value, -99));
  RETURNS(pmPrintValue(stderr, PM_VAL_DPTR, PM_TYPE_AGGREGATE, &value, 1));
  WANT(-EINVAL, pmUnpackEventRecords(nullptr, 0, &records));
  WANT(PM_ERR_CONV, pmUnpackEventRecords(&set, -1, &records));
  WANT(PM_ERR_CONV, pmUnpackEventRecords(&set, 0, &records));
  WANT(PM_ERR_CONV, pmUnpackEventRecords(&set, 0, nullptr));
  WANT(-EINVAL, pmUnpackHighResEventRecords(nullptr, 0, &fine));
  WANT(PM_ERR_CONV, pmUnpackHighResEventRecords(&set, -1, &fine));
  WANT(PM_ERR_CONV, pmUnpackHighResEventRecords(&set, 0, &fine));
  WANT(PM_ERR_CONV, pmUnpackHighResEventRecords(&set, 0, nullptr));
  RETURNS(pmFreeEventResult(nullptr));
  RETURNS(pmFreeHighResEventResult(nullptr));
}

namespace {

// Too little room is refused here; the real library writes behind it, or nothing.
void wrong_names_of_numbers() {
  char room[PM_MAXERRMSGLEN];
  WANT_TEXT("No error", pmErrStr(0));
  WANT_TEXT("Generic error, already reported above", pmErrStr(-12345));
  WANT_TEXT("Unknown secure sockets error -999999 (-978655)", pmErrStr(-999999));
  WANT_TEXT("No error", pmErrStr_r(0, room, sizeof room));
  OURS_TEXT(nullptr, pmErrStr_r(-1, room, 0));
  WANT_TEXT(nullptr, pmErrStr_r(-1, room, -1));
  WANT_TEXT(nullptr, pmErrStr_r(-1, nullptr, sizeof room));
  WANT_TEXT("0.0.0", pmIDStr(0));
  WANT_TEXT("PM_ID_NULL", pmIDStr(PM_ID_NULL));
  WANT_TEXT("0.0.0", pmIDStr_r(0, room, sizeof room));
  OURS_TEXT(nullptr, pmIDStr_r(PM_ID_NULL, room, 0));
  OURS_TEXT(nullptr, pmIDStr_r(0, room, -1));
  WANT_TEXT(nullptr, pmIDStr_r(0, nullptr, sizeof room));
  WANT_TEXT("0.0", pmInDomStr(0));
  WANT_TEXT("PM_INDOM_NULL", pmInDomStr(PM_INDOM_NULL));
  WANT_TEXT("0.0", pmInDomStr_r(0, room, sizeof room));
  OURS_TEXT(nullptr, pmInDomStr_r(PM_INDOM_NULL, room, 0));
  OURS_TEXT(nullptr, pmInDomStr_r(0, room, -1));
  WANT_TEXT(nullptr, pmInDomStr_r(0, nullptr, sizeof room));
  WANT_TEXT("32", pmTypeStr(0));
  WANT_TEXT("???", pmTypeStr(-2));
  WANT_TEXT("32", pmTypeStr_r(0, room, sizeof room));
  OURS_TEXT(nullptr, pmTypeStr_r(-2, room, 0));
  OURS_TEXT(nullptr, pmTypeStr_r(0, room, -1));
  WANT_TEXT(nullptr, pmTypeStr_r(0, nullptr, sizeof room));
  WANT_TEXT("???", pmSemStr(0));
  WANT_TEXT("???", pmSemStr(-1));
  WANT_TEXT("???", pmSemStr_r(0, room, sizeof room));
  OURS_TEXT(nullptr, pmSemStr_r(-1, room, 0));
  OURS_TEXT(nullptr, pmSemStr_r(0, room, -1));
  WANT_TEXT(nullptr, pmSemStr_r(0, nullptr, sizeof room));
}

void wrong_numbers_as_texts() {
  char room[PM_MAXERRMSGLEN];
  pmUnits units{};
  pmAtomValue atom{.l = 1};
  double factor = 0;
  char* message = nullptr;
  WANT_TEXT("", pmUnitsStr(nullptr));
  WANT_TEXT(nullptr, pmUnitsStr_r(nullptr, room, sizeof room));
  WANT_TEXT(nullptr, pmUnitsStr_r(&units, room, 0));
  WANT_TEXT(nullptr, pmUnitsStr_r(&units, room, -1));
  WANT_TEXT(nullptr, pmUnitsStr_r(&units, nullptr, sizeof room));
  WANT_TEXT("", pmAtomStr(nullptr, PM_TYPE_32));
  WANT_TEXT("Error: unexpected type: Illegal type=-2", pmAtomStr(&atom, -2));
  WANT_TEXT(nullptr, pmAtomStr_r(nullptr, PM_TYPE_32, room, sizeof room));
  WANT_TEXT("Error: unexpected type: Illegal type=-2", pmAtomStr_r(&atom, -2, room, sizeof room));
  OURS_TEXT(nullptr, pmAtomStr_r(&atom, PM_TYPE_32, room, 0));
  OURS_TEXT(nullptr, pmAtomStr_r(&atom, PM_TYPE_32, room, -1));
  WANT_TEXT(nullptr, pmAtomStr_r(&atom, PM_TYPE_32, nullptr, sizeof room));
  WANT_TEXT("  0.00 ", pmNumberStr(0));
  WANT_TEXT("-inf?  ", pmNumberStr(-1e300));
  WANT_TEXT("  0.00 ", pmNumberStr(std::nan("")));
  WANT_TEXT("  0.00 ", pmNumberStr_r(0, room, sizeof room));
  WANT_TEXT("-inf?  ", pmNumberStr_r(-HUGE_VAL, room, sizeof room));
  OURS_TEXT(nullptr, pmNumberStr_r(-1, room, 0));
  OURS_TEXT(nullptr, pmNumberStr_r(1, room, -1));
  WANT_TEXT(nullptr, pmNumberStr_r(1, nullptr, sizeof room));
  WANT_TEXT("", pmEventFlagsStr(0));
  WANT_TEXT("missed", pmEventFlagsStr(-1));
  WANT_TEXT("", pmEventFlagsStr_r(0, room, sizeof room));
  WANT_TEXT(nullptr, pmEventFlagsStr_r(-1, room, 0));
  WANT_TEXT(nullptr, pmEventFlagsStr_r(1, room, -1));
  WANT_TEXT(nullptr, pmEventFlagsStr_r(1, nullptr, sizeof room));
  WANT(-EINVAL, pmParseUnitsStr(nullptr, &units, &factor, &message));
  WANT(-EINVAL, pmParseUnitsStr("bytes", nullptr, &factor, &message));
  WANT(-EINVAL, pmParseUnitsStr("bytes", &units, nullptr, &message));
  WANT(PM_ERR_CONV, pmParseUnitsStr("nonsense", &units, &factor, nullptr));
}

}  // namespace

void wrong_texts() {
  wrong_names_of_numbers();
  wrong_numbers_as_texts();
}

void wrong_identifiers() {
  WANT(0, pmID_build(0, 0, 0));
  WANT(2147483647, pmID_build(~0U, ~0U, ~0U));
  WANT(0, pmID_domain(0));
  WANT(511, pmID_domain(PM_ID_NULL));
  WANT(0, pmID_cluster(0));
  WANT(4095, pmID_cluster(PM_ID_NULL));
  WANT(0, pmID_item(0));
  WANT(1023, pmID_item(PM_ID_NULL));
  WANT(0, pmInDom_build(0, 0));
  WANT(2147483647, pmInDom_build(~0U, ~0U));
  WANT(0, pmInDom_domain(0));
  WANT(511, pmInDom_domain(PM_INDOM_NULL));
  WANT(0, pmInDom_serial(0));
  WANT(4194303, pmInDom_serial(PM_INDOM_NULL));
}

namespace {

void wrong_windows() {
  struct timeval start{.tv_sec = 100, .tv_usec = 0}, end{.tv_sec = 200, .tv_usec = 0}, first{},
      last{}, offset{};
  struct timespec fine{.tv_sec = 100, .tv_nsec = 0}, fine_end{.tv_sec = 200, .tv_nsec = 0}, a{},
      b{}, c{};
  char* message = nullptr;
  WANT(1, pmParseTimeWindow(nullptr, nullptr, nullptr, nullptr, &start, &end, &first, &last,
                            &offset, &message));
  WANT(-1, pmParseTimeWindow("x", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                             nullptr, nullptr));
  WANT(-1,
       pmParseTimeWindow("10", "20", "5", "1", nullptr, &end, &first, &last, &offset, &message));
  WANT(-1,
       pmParseTimeWindow("10", "20", "5", "1", &start, nullptr, &first, &last, &offset, &message));
  WANT(-1,
       pmParseTimeWindow("10", "20", "5", "1", &start, &end, nullptr, &last, &offset, &message));
  WANT(-1,
       pmParseTimeWindow("10", "20", "5", "1", &start, &end, &first, nullptr, &offset, &message));
  WANT(-1, pmParseTimeWindow("10", "20", "5", "1", &start, &end, &first, &last, nullptr, &message));
  WANT(1, pmParseTimeWindow("10", "20", "5", "1", &start, &end, &first, &last, &offset, nullptr));
  WANT(1, pmParseHighResTimeWindow(nullptr, nullptr, nullptr, nullptr, &fine, &fine_end, &a, &b, &c,
                                   &message));
  WANT(-1, pmParseHighResTimeWindow("x", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr));
  WANT(-1,
       pmParseHighResTimeWindow("10", "20", "5", "1", nullptr, &fine_end, &a, &b, &c, &message));
  WANT(-1, pmParseHighResTimeWindow("10", "20", "5", "1", &fine, nullptr, &a, &b, &c, &message));
  WANT(-1,
       pmParseHighResTimeWindow("10", "20", "5", "1", &fine, &fine_end, nullptr, &b, &c, &message));
  WANT(-1,
       pmParseHighResTimeWindow("10", "20", "5", "1", &fine, &fine_end, &a, nullptr, &c, &message));
  WANT(-1,
       pmParseHighResTimeWindow("10", "20", "5", "1", &fine, &fine_end, &a, &b, nullptr, &message));
  WANT(1, pmParseHighResTimeWindow("10", "20", "5", "1", &fine, &fine_end, &a, &b, &c, nullptr));
}

void wrong_arithmetic() {
  struct timeval time{.tv_sec = 1, .tv_usec = 0}, other{.tv_sec = 2, .tv_usec = 0};
  struct timespec fine{.tv_sec = 1, .tv_nsec = 0}, more{.tv_sec = 2, .tv_nsec = 0};
  RETURNS(pmtimevalNow(nullptr));
  RETURNS(pmtimevalInc(nullptr, &other));
  RETURNS(pmtimevalInc(&time, nullptr));
  RETURNS(pmtimevalDec(nullptr, &other));
  RETURNS(pmtimevalDec(&time, nullptr));
  WANT(0, pmtimevalAdd(nullptr, &other));
  WANT(0, pmtimevalAdd(&time, nullptr));
  WANT(0, pmtimevalSub(nullptr, &other));
  WANT(0, pmtimevalSub(&time, nullptr));
  WANT(0, pmtimevalToReal(nullptr));
  RETURNS(pmtimevalFromReal(0, nullptr));
  RETURNS(pmtimevalFromReal(-1, &time));
  RETURNS(pmtimevalFromReal(HUGE_VAL, &time));
  RETURNS(pmPrintStamp(nullptr, &time));
  RETURNS(pmPrintStamp(stderr, nullptr));
  WANT(-EINVAL, pmtimespecNow(nullptr));
  RETURNS(pmtimespecInc(nullptr, &more));
  RETURNS(pmtimespecInc(&fine, nullptr));
  RETURNS(pmtimespecDec(nullptr, &more));
  RETURNS(pmtimespecDec(&fine, nullptr));
  WANT(0, pmtimespecAdd(nullptr, &more));
  WANT(0, pmtimespecAdd(&fine, nullptr));
  WANT(0, pmtimespecSub(nullptr, &more));
  WANT(0, pmtimespecSub(&fine, nullptr));
  WANT(0, pmtimespecToReal(nullptr));
  RETURNS(pmtimespecFromReal(0, nullptr));
  RETURNS(pmtimespecFromReal(-1, &fine));
  RETURNS(pmtimespecFromReal(HUGE_VAL, &fine));
  RETURNS(pmPrintHighResStamp(nullptr, &fine));
  RETURNS(pmPrintHighResStamp(stderr, nullptr));
}

}  // namespace

void wrong_times() {
  struct timeval time{};
  struct timespec fine{};
  struct tm parts{};
  const time_t clock = 0;
  char room[26];
  pmMetricSpec* spec = nullptr;
  char *text = nullptr, source[] = "host";
  (void)pmNewZone("UTC");
  WANT(1, pmNewZone(nullptr) >= 0);
  WANT(-1, pmUseZone(-1));
  WANT(-1, pmUseZone(9999));
  WANT(1, pmWhichZone(nullptr) >= 0);
  WANT_TEXT("", pmCtime(nullptr, room));
  WANT_TEXT(nullptr, pmCtime(&clock, nullptr));
  WANT(1, pmLocaltime(nullptr, &parts) == &parts);
  WANT(1, pmLocaltime(&clock, nullptr) == nullptr);
  const auto free_text = [&] { std::free(std::exchange(text, nullptr)); };
  WANT(-1, pmParseInterval(nullptr, &time, &text));
  free_text();
  WANT(-1, pmParseInterval("1sec", nullptr, &text));
  free_text();
  WANT(-1, pmParseInterval("x", &time, nullptr));
  WANT(-1, pmParseInterval("", &time, nullptr));
  WANT(-1, pmParseHighResInterval(nullptr, &fine, &text));
  free_text();
  WANT(-1, pmParseHighResInterval("1sec", nullptr, &text));
  free_text();
  WANT(-1, pmParseHighResInterval("x", &fine, nullptr));
  WANT(-EINVAL, pmParseMetricSpec(nullptr, 0, source, &spec, &text));
  WANT(0, pmParseMetricSpec("a.b", -1, nullptr, &spec, &text));
  pmFreeMetricSpec(std::exchange(spec, nullptr));
  WANT(-EINVAL, pmParseMetricSpec("a.b", 0, source, nullptr, &text));
  WANT(PM_ERR_GENERIC, pmParseMetricSpec("[", 0, source, &spec, nullptr));
  RETURNS(pmFreeMetricSpec(nullptr));
  wrong_windows();
  wrong_arithmetic();
}

}  // namespace pmjit
