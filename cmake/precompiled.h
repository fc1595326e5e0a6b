// What most files of ours include, compiled once per configuration (pmjit.cmake,
// PMJIT_PRECOMPILED). Only headers of the standard library and of {fmt}: a change of our own
// headers must not rebuild it. Every file still includes what it uses: a build with
// PMJIT_PRECOMPILED=OFF proves it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
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
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
