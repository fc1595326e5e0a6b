// The PM_ERR_* numbers that an archive can answer with. Source: spec archives.md §9, §23.
#pragma once

namespace pmjit::pm_err {

inline constexpr int kBase = -12345;

inline constexpr int kNoData = kBase - 9;          // label only, or no metric described
inline constexpr int kName = kBase - 12;           // unknown metric name
inline constexpr int kLabel = kBase - 27;          // illegal label record
inline constexpr int kLogRec = kBase - 28;         // corrupted record
inline constexpr int kLogFile = kBase - 30;        // a file of the archive is missing
inline constexpr int kPmidLog = kBase - 33;        // metric not described in the archive
inline constexpr int kLogChangeType = kBase - 59;  // a metric described twice, and differently
inline constexpr int kLogChangeSem = kBase - 60;
inline constexpr int kLogChangeIndom = kBase - 61;
inline constexpr int kLogChangeUnits = kBase - 62;
inline constexpr int kRecType = kBase - 67;  // metadata record of a type nobody knows
inline constexpr int kFeature = kBase - 68;  // archive feature not supported

}  // namespace pmjit::pm_err
