// What people can write instead, for what libpcp says of an expression that it cannot bind.
#pragma once

#include <string_view>

namespace pmjit::pcp {

// `message`: of a BindError. Empty: there is nothing better to say.
[[nodiscard]] std::string_view way_out(std::string_view message);

}  // namespace pmjit::pcp
