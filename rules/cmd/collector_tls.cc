#include "rules/cmd/collector_tls.h"

#include <memory>
#include <utility>

#include "runtime/client/net/secure_module.h"
#include "runtime/client/net/tls_settings.h"

namespace pmjit {

Result<BeginTls> collector_tls(const std::string& path, const Clock& clock) {
  auto settings = read_tls_settings(path);
  if (!settings) return fail(settings.error());
  if (!settings->has_certificate()) return BeginTls();
  const auto module = load_secure();
  if (!module) return fail(module.error());
  const std::shared_ptr<TlsSessions> sessions = (*module)->tls_sessions();
  // Better now than when the first client comes.
  if (const auto tried = sessions->accept(*settings, false, "", clock.now()); !tried) {
    return fail(tried.error());
  }
  return [sessions, settings = *std::move(settings), &clock](const std::string& from,
                                                             bool wants_certificate) {
    return sessions->accept(settings, wants_certificate, from, clock.now());
  };
}

}  // namespace pmjit
