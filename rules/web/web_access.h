// Who may ask what: tokens, and the names by which this daemon may be asked. Source: spec
// alerting.md §10.
//
//   const auto token = make_token_file("/run/pmjit/token");       // at the start
//   if (!bears_token(request.authorization, *token)) …            // 401
//
// Tokens are compared in a time that does not depend on where they differ.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

// `Authorization: Bearer TOKEN`. An empty token is borne by nobody.
[[nodiscard]] bool bears_token(std::string_view authorization, std::string_view token);

// A new random token in a file for its owner alone, in place of what was there.
[[nodiscard]] Result<std::string> make_token_file(const std::string& path);

// Without one last newline.
[[nodiscard]] Result<std::string> read_token_file(const std::string& path);

// May a request name this `Host`, with or without a port? Those of the loopback may always be
// named, and so may numbers; names only if they are among these.
[[nodiscard]] bool host_is_ours(std::string_view host, std::span<const std::string> names);

}  // namespace pmjit
