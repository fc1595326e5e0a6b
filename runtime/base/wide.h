// 128-bit integers: exact sums, products and times. A compiler extension, named in one place.
#pragma once

namespace pmjit {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace pmjit
