#include "runtime/client/fleet_answers.h"

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "runtime/client/host_fleet.h"

namespace pmjit {

FleetAnswers::FleetAnswers(const Members& members, size_t at_once)
    : members_(members), at_once_(at_once), hosts_(members.size()) {}

void FleetAnswers::ask(size_t host, HostQuestions questions) {
  hosts_[host].why.reset();
  queue_.emplace_back(host, std::move(questions));
  start_some();
}

void FleetAnswers::start_some() {
  while (!queue_.empty() && under_way_ < at_once_) {
    auto [host, questions] = std::move(queue_.front());
    queue_.pop_front();
    Asked& of = hosts_[host];
    of.work.emplace(ask_ahead(members_[host]->client, std::move(questions), of.known.asked_epoch));
    of.work->start();
    ++under_way_;
  }
}

bool FleetAnswers::settled() {
  for (Asked& of : hosts_) {
    if (!of.work || !of.work->done()) continue;
    Result<HostAnswers> said = of.work->take();
    of.work.reset();
    --under_way_;
    if (!said) {
      of.why = said.error();
      continue;
    }
    HostAnswers all = of.known.answers ? *of.known.answers : HostAnswers();
    all.add(*std::move(said));
    of.known.answers = std::make_shared<const HostAnswers>(std::move(all));
    of.known.epoch = of.known.asked_epoch;
  }
  start_some();
  return under_way_ == 0;
}

void FleetAnswers::give_up() {
  queue_.clear();
  under_way_ = 0;
  for (Asked& of : hosts_) of.work.reset();
}

bool FleetAnswers::ask_open() {
  std::vector<HostQuestions> open;
  std::set<std::string, std::less<>> names;
  for (Asked& of : hosts_) {
    open.push_back(std::exchange(of.known.open, {}));
    names.insert(open.back().names.begin(), open.back().names.end());
  }
  bool any = false;
  for (size_t host = 0; host < hosts_.size(); ++host) {
    open[host].names = names;
    open[host].with_instances = false;
    if (hosts_[host].known.answers == nullptr || open[host].empty()) continue;
    ask(host, std::move(open[host]));
    any = true;
  }
  return any;
}

FleetAnswers::Catalogs::Catalogs(FleetAnswers& answers) : members_(answers.members_) {
  for (size_t host = 0; host < members_.size(); ++host) {
    members_[host]->context.answer_from(answers.hosts_[host].known);
  }
}

FleetAnswers::Catalogs::~Catalogs() {
  for (const auto& member : members_) member->context.ask_again();
}

}  // namespace pmjit
