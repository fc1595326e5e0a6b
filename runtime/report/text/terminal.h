// How wide text for people may be: $COLUMNS, 100 where that is not set.
#pragma once

#include <cstddef>

namespace pmjit {

// `asked` comes before $COLUMNS; 0: nobody asks.
size_t terminal_width(int asked);

}  // namespace pmjit
