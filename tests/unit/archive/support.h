// What the archive tests share: archives in memory, and their content as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/archive/writer.h"

namespace pmjit::test {

// tests/golden/archives/NAME
std::string golden(std::string_view name);

Result<std::unique_ptr<Archive>> open_parts(const ArchiveParts& parts);
// The parts of a golden archive, to be damaged.
ArchiveParts golden_parts(std::string_view name);

// Every record, one line a metric: "+10.000 syn.ctr 21", "+20.000 in.ctr [100]=1 [200]=2", "+20.001
// mark", "+30.000 in.ctr none", "+50.000 in.ctr error -12350"; a last line "error CODE" if reading
// ends with one. Seconds count from the source's start. All metrics where none are named.
std::string content(const Recording& source, std::vector<std::string> metrics = {},
                    FetchPlan plan = {});

// content() of what opens, else "refused CODE".
std::string content(const Result<std::unique_ptr<Archive>>& archive);

std::vector<std::byte> bytes_of_hex(
    std::string_view hex);  // blanks and newlines between bytes are fine
std::string hex_of(Bytes bytes);

}  // namespace pmjit::test
