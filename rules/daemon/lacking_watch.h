// LackingWatch: whether hosts have metrics by now that rules lacked there. Only those hosts are
// asked, after pauses that grow. Where one has more, all hosts are asked for everything that rules
// are compiled for, so that compiling waits for nobody. Others are evaluated meanwhile.
//
//   LackingWatch watch(fleet, clock);
//   watch.begin(replay->absent());
//   if (watch.ready()) {                              // in each round
//     const auto catalogs = watch.catalogs();         // they answer from what was said
//     … compile …
//   }
//   if (!watch.asks_more()) …                         // else it is ready() again later
#pragma once

#include <chrono>
#include <memory>

#include "rules/strict/fleet_bodies.h"
#include "runtime/base/clock.h"
#include "runtime/client/fleet_answers.h"

namespace pmjit {

class HostFleet;

class LackingWatch {
 public:
  // Both outlive it.
  LackingWatch(const HostFleet& fleet, const Clock& clock) : fleet_(fleet), clock_(clock) {}

  // From now on this is lacking; pauses begin anew. Nothing: nobody is asked.
  void begin(strict::AbsentMetrics absent);
  // What was asked has changed nothing: again after a longer pause.
  void pause();
  // All hosts are asked, for rules are to be compiled whatever they say: now; or after a failure
  // later, where nobody had said anything sooner. Who is down is asked later only.
  void ask_all();
  void ask_all_later();
  void ask_all_soon();
  // Has anybody said something since?
  [[nodiscard]] bool has_answers() const;
  // Is there more than before, or were all asked for another reason?
  [[nodiscard]] bool ready();
  // When there is something to do again, if nothing arrives before.
  [[nodiscard]] Stamp wakes() const;

  [[nodiscard]] FleetAnswers::Catalogs catalogs() { return FleetAnswers::Catalogs(*answers_); }
  // Did compiling want to know what nobody had been asked? Then hosts are asked that, too.
  [[nodiscard]] bool asks_more();

 private:
  enum class Step : uint8_t { idle, asks_lacking, asks_all, waits_to_ask_all };
  void ask_everybody(bool also_down);
  void ask_lacking();
  [[nodiscard]] bool has_more() const;
  [[nodiscard]] bool is_up(uint32_t host) const;
  void limit_patience();

  const HostFleet& fleet_;
  const Clock& clock_;
  strict::AbsentMetrics absent_{};
  Step step_ = Step::idle;
  std::chrono::nanoseconds pause_{};
  Instant next_{};  // look, or end of patience with those who were asked
  int rounds_ = 0;  // of asking more
  std::unique_ptr<FleetAnswers> answers_;
};

}  // namespace pmjit
