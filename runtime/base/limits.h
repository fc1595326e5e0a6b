// Every limit of the product, with its reason. A limit that is hit is reported with its name.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/sanitized.h"

namespace pmjit::limits {

// Nesting of an expression. Parser, checker and printer recurse; 1,000 levels need well under 1 MB
// of stack even in sanitizer builds, and no written definition comes near it.
inline constexpr uint32_t kNestingMax = 1'000;

// Nesting of a rule, as rule_nesting() counts it: parentheses and the signs before operands. Each
// is up to nine calls of the generated parser, two levels of it together 4 MB of stack in sanitizer
// builds; written rules have five.
inline constexpr uint32_t kRuleNestingMax = 250;

// Macros that one statement of a rule file refers to, those within macros too: one may be made to
// refer to itself, and pmie then never ends.
inline constexpr uint32_t kRuleMacrosMax = 1'000;

// Seconds between two reads of an archive for a rule, which may have any number for its interval:
// thirty years, so that milliseconds and stamps are far from the ends of their types.
inline constexpr double kReadStepSecondsMax = 1e9;

// What regcomp() may allocate for a pattern: 2,800 optional characters in a row, or alternatives,
// take so much and 0.1 s; a pattern of 250,000 characters without any as well.
inline constexpr size_t kPatternBytesMax = 64u << 20;

// Length of one expression or definition file, in bytes. Source offsets are 32-bit.
inline constexpr size_t kSourceBytesMax = 64u << 20;

// Values that a block holds before it is handed on: large enough to amortise a kernel call, small
// enough that a block stays in the second-level cache beside the records it is made of (64 Ki
// values of 8 bytes = 512 KB).
inline constexpr size_t kBlockValuesTarget = 64u << 10;

// Rows of a block: bounds the memory of singular metrics, whose rows are larger than their values.
inline constexpr uint32_t kBlockRowsMax = 8'192;

// Instances in one value set or domain record. The file formats allow 2^31; a real domain has fewer
// than a million, and a damaged count must not make us allocate.
inline constexpr uint32_t kInstancesMax = 1u << 24;

// One archive record; the format's own bound for a value block is 2^24.
inline constexpr uint32_t kRecordBytesMax = 1u << 30;

// Near names that a "no such metric" message suggests.
inline constexpr size_t kNearNamesMax = 3;

// Warnings of one kind that a run keeps until they are said; a damaged source could give one a
// record.
inline constexpr size_t kWarningsMax = 20;

// Gaps that the summary of an archive lists: more than anybody reads, and a file of marks alone
// must not make us allocate.
inline constexpr size_t kGapsMax = 4'096;

// Groups of metrics logged together that a summary tells apart; a logger has some dozens. They are
// bounded for archives whose records are all different.
inline constexpr size_t kRecordGroupsMax = 4'096;

// Hosts of one run: what a text form may make us allocate.
inline constexpr uint32_t kHostsMax = 1u << 16;

// Rows and bytes of values that all results have of one block: they stay in the third-level cache
// from the evaluation to the text. Of singular results there are no fewer than so many rows, for
// each step of the program costs something a block.
inline constexpr size_t kResultRowsMax = 64u << 10;
inline constexpr size_t kResultRowsLeast = 32;
inline constexpr size_t kResultBytesMax = 8u << 20;

// Hosts that one list of names makes, and one configuration: far more than one machine watches. A
// typing mistake in `web[1-400000000]` must not make us allocate.
inline constexpr size_t kListedHostsMax = 100'000;

// Nodes fused into one kernel before the chain gets a slot: bounds compile time and the planner's
// recursion.
inline constexpr uint32_t kKernelNodesMax = 64;

// Bytes of rosters and joins that are let pile up before those that nobody needs are forgotten:
// what stays in the second-level cache beside a block. The address sanitizer's build forgets after
// every round, so that whoever holds on to a roster without saying so is found.
inline constexpr uint64_t kRosterBytes = kSanitized ? 0 : 2u << 20;

// Points of a threshold sweep: each is a result of its own, some kilobytes a block. A person reads
// a hundred, a program that fits a threshold some thousands.
inline constexpr size_t kSweepPointsMax = 10'000;

// Rows that all points of a sweep have of one block: with those of 500 instances they take some 80
// MB.
inline constexpr size_t kSweepRowsMax = 160'000;

// Threads for each processor that are used at most, whatever is asked for: hundreds take seconds to
// be made, and some megabytes each.
inline constexpr unsigned kThreadsPerProcessorMax = 8;

// Pages of text that are in the making or wait to be written, whatever the threads: some 75 MB.
inline constexpr unsigned kPagesMax = 256;

// Bytes of records that are read at once. They stay in the second-level cache until they are
// decoded.
inline constexpr uint32_t kPieceBytes = 256u << 10;

// Of a piece that one of several threads decodes. A block is a piece then, and small blocks cost
// the evaluation: at 512 KB two threads take a ninth longer.
inline constexpr uint32_t kSharedPieceBytes = 1u << 20;

// A source that threads share without being told to: what is smaller is decoded before they are
// there.
inline constexpr uint64_t kSharedBytesLeast = 32u << 20;

// Lanes that one kernel call works on: its operands' scratch stays in the second-level cache.
inline constexpr uint64_t kLanesPerCall = 16u << 10;

// Bytes of a metadata or index file, decompressed. They are held in memory: instance names are
// views into them. The largest real ones have some 100 MB.
inline constexpr uint64_t kMetadataBytesMax = 1u << 30;

// A folio lists some archives; whatever is larger is another file by mistake.
inline constexpr uint64_t kFolioBytesMax = 1u << 20;

// A file of the tz database: the largest have 4 KB, and with leap seconds 5.
inline constexpr uint64_t kZoneFileBytesMax = 1u << 20;

// Decompressed bytes that stay in memory; beyond, a temporary file holds them.
inline constexpr size_t kDecodedInMemoryMax = 4u << 20;

// One block of an .xz file that is decompressed by itself, in memory. PCP's own scripts write
// blocks of 10 MiB; a file with larger ones goes to a temporary file as a whole.
inline constexpr uint64_t kXzBlockBytesMax = 16u << 20;

// Memory that a decompressor may want: what zstd takes without being told otherwise, and twice what
// xz -9 needs. The size stands in the compressed file, which may be damaged.
inline constexpr uint64_t kDecoderBytesMax = 128u << 20;

// Room that temporary files leave on their disk: some kilobytes of compressed data may decode to
// terabytes, and other programs need the disk too.
inline constexpr uint64_t kTemporaryBytesLeft = 64u << 20;

// One PDU from a client: what pmcd takes (its -L), so that clients need not care whose collector
// they have. It is 16,377 metrics in one fetch.
inline constexpr uint32_t kClientPduBytesMax = 64u << 10;

// One PDU from a collector or an agent. PCP has no limit but 2^31. The largest real ones are
// results over all processes of a host, some megabytes; one value may have 16 MB.
inline constexpr uint32_t kServerPduBytesMax = 64u << 20;

// What PCP 7.2.1 takes. There is one credential in practice.
inline constexpr size_t kCredentialsMax = 1'024;

// The value of one attribute of a connection; PCP's own buffer has 4,096 bytes.
inline constexpr size_t kAttributeBytesMax = 4'095;

// Contexts of one connection to our collector, each with a profile; what PCP 7.2.1 takes.
inline constexpr size_t kClientContextsMax = 64;

// Answers of our collector that a client has not read yet. A name space of 100,000 metrics is 6 MB.
inline constexpr size_t kUnreadBytesMax = 32u << 20;

// Clients of our collector at once, where descriptors suffice.
inline constexpr uint32_t kCollectorClientsMax = 4'096;

}  // namespace pmjit::limits
