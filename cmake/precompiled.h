// What many files of ours include, compiled once per configuration (pmjit.cmake,
// PMJIT_PRECOMPILED): headers of the standard library and of {fmt}, and those of ours that a fifth
// of all files or more see. A change of one of these compiles everything again, so one that is
// still in motion does not belong here. Every file still includes what it uses: a build with
// PMJIT_PRECOMPILED=OFF proves it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/diag/diag.h"
#include "compiler/ir/ir.h"
#include "runtime/archive/archive.h"
#include "runtime/archive/recording/archives.h"
#include "runtime/base/bits.h"
#include "runtime/base/bytes.h"
#include "runtime/base/clock.h"
#include "runtime/base/executor.h"
#include "runtime/base/file.h"
#include "runtime/base/ids.h"
#include "runtime/base/limits.h"
#include "runtime/base/pattern.h"
#include "runtime/base/result.h"
#include "runtime/client/context.h"
#include "runtime/model/catalog.h"
#include "runtime/model/column.h"
#include "runtime/model/desc.h"
#include "runtime/model/fetched_values.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/recording.h"
#include "runtime/model/results.h"
#include "runtime/model/roster.h"
#include "runtime/model/row_list.h"
#include "runtime/model/set_columns.h"
#include "runtime/model/stamp.h"
#include "runtime/model/units.h"
#include "runtime/model/value.h"
#include "runtime/model/value_layout.h"
#include "runtime/text/zone.h"
