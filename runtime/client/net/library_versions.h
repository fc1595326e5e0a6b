// The libraries that do what is secret, as pmGetAPIConfig() tells of them: "3.0.19", "2.1.28".
#pragma once

namespace pmjit {

[[nodiscard]] const char* openssl_version();
[[nodiscard]] const char* sasl_version();

}  // namespace pmjit
