// Clients that log in, or name a container, before anything else. Codes are those of a real pmcd
// (wire-protocol.md §3.5, §3.6).
#include "agent/collector/logins.h"

#include <condition_variable>
#include <mutex>

#include "agent/collector/served_client.h"
#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

using std::chrono::seconds;
using wire::Feature;

// Knows bob, who says "open" and then "sesame"; a step is over at once, or when a test says so.
class ScriptedLogins final : public Logins {
 public:
  void take(const LoginStepPtr& step) override {
    last = step;
    if (!late) end();
  }
  void forget(uint32_t) override { ++forgotten; }
  void end() {
    last->over = true;
    if (last->begins) {
      last->reply = "PLAIN";
    } else if (last->said == "open") {
      last->reply = "who?";
    } else if (last->said == "sesame") {
      last->user = LoginUser{.name = "bob", .user_id = 7, .group_id = 8, .group_ids = {8, 9}};
    } else {
      last->reply = fail(Error(Fault::io, "user not found").pm_code(pm_err::E_NYI - 20));
    }
  }

  LoginStepPtr last;
  bool late = false;
  size_t forgotten = 0;
};

wire::PduBody wish(wire::FeatureSet features) {
  return wire::CredsMessage{.credentials = {{.wishes = features}}};
}
wire::PduBody say(std::string_view text, int32_t code = 0) {
  return wire::AttributeMessage{.code = code, .value = text};
}

class LoginTest : public testing::Test {
 protected:
  LoginTest() { core_.set_logins(&logins_); }
  ~LoginTest() override { core_.set_logins(nullptr); }

  std::string come(wire::FeatureSet wishes) { return client_.ask(wish(wishes)); }
  // What the owner of the connection does when somebody has logged in.
  std::string admit(int code = 0) {
    if (client_.session().awaits_admission() == nullptr) return "nobody\n";
    ByteWriter out;
    EXPECT_FALSE(client_.session().refuse_with(code, out));
    const auto kept = client_.session().admitted(out);
    return pdus_text(out.written()) + (kept ? "" : "closed: " + kept.error().what() + "\n");
  }

  FakeClock clock_;
  CollectorState state_{};
  ScriptedAgent agent_;
  ScriptedLogins logins_;
  CollectorCore core_{clock_, {&agent_}, state_};
  ScriptedClient client_{core_, 1};
};

TEST_F(LoginTest, OffersWhatItHas) {
  ByteWriter out;
  client_.session().greet(out);
  EXPECT_NE(pdus_text(out.written()).find("AUTH|CONTAINER|"), std::string::npos);
}

TEST_F(LoginTest, EndsSilently) {
  EXPECT_EQ(come({Feature::auth}), "ATTR from=0 attribute=0 value=\"PLAIN\"\n");
  EXPECT_EQ(client_.ask(say("open")), "ATTR from=0 attribute=0 value=\"who?\"\n");
  EXPECT_FALSE(client_.session().ready());
  EXPECT_EQ(client_.ask(say("sesame")), "");
  EXPECT_FALSE(client_.session().ready()) << "before it is admitted";
  EXPECT_EQ(admit(), "");
  EXPECT_TRUE(client_.session().ready());
  const AgentAsker& known = core_.known_clients().at(1);
  EXPECT_EQ(known.user_name, "bob");
  EXPECT_EQ(known.user_id, 7u);
  EXPECT_EQ(known.group_id, 8u);
  EXPECT_GT(logins_.forgotten, 0u);
}

TEST_F(LoginTest, FailsAndEnds) {
  (void)come({Feature::auth});
  EXPECT_EQ(client_.ask(say("sesam")),
            "ERROR from=0 code=-21364\nclosed: its login fails: user not found\n");
  EXPECT_FALSE(client_.session().ready());
}

TEST_F(LoginTest, AnswersNothingElseMeanwhile) {
  (void)come({Feature::auth});
  EXPECT_TRUE(client_.ask(wire::TraverseRequest{}).starts_with("ERROR from=0 code=-12366\nclosed"));
}

TEST_F(LoginTest, OfOneWhoIsNotAllowed) {
  (void)come({Feature::auth});
  (void)client_.ask(say("sesame"));
  EXPECT_TRUE(admit(pm_err::E_PERMISSION).starts_with("ERROR from=0 code=-12387\nclosed"));
}

TEST_F(LoginTest, TakesItsTime) {
  logins_.late = true;
  client_.start(wish({Feature::auth}));
  EXPECT_TRUE(client_.session().waits());
  logins_.end();
  EXPECT_EQ(client_.rest(), "ATTR from=0 attribute=0 value=\"PLAIN\"\n");
  client_.start(say("sesame"));
  clock_.advance(seconds(10));
  EXPECT_EQ(client_.rest(), fmt::format("ERROR from=0 code={}\nclosed: its login took longer than "
                                        "10 s\n",
                                        int{pm_err::E_TIMEOUT}));
  logins_.end();  // nobody is there for it any more
  EXPECT_FALSE(client_.session().ready());
}

TEST_F(LoginTest, WhereAllHaveTo) {
  state_.creds_required = true;
  EXPECT_EQ(come({Feature::creds_required}), "ATTR from=0 attribute=0 value=\"PLAIN\"\n");
}

TEST_F(LoginTest, ThenNamesAContainer) {
  (void)come({Feature::auth, Feature::container});
  (void)client_.ask(say("sesame"));
  EXPECT_EQ(admit(), "");
  EXPECT_FALSE(client_.session().ready());
  EXPECT_EQ(client_.ask(say("web01", 15)), "");
  EXPECT_TRUE(client_.session().ready());
  EXPECT_EQ(core_.known_clients().at(1).container, "web01");
  EXPECT_EQ(state_.clients.at(1).container, "web01");
}

TEST_F(LoginTest, WithoutItsNameItGoesOn) {
  EXPECT_EQ(come({Feature::container}), "");
  EXPECT_EQ(client_.ask(say("bob", 5)), "ERROR from=0 code=-12366\n");
  EXPECT_TRUE(client_.session().ready());
  EXPECT_EQ(core_.known_clients().at(1).container, "");
}

TEST_F(LoginTest, IsForgottenWhereItLeavesMeanwhile) {
  ScriptedClient(core_, 2).connect();
  EXPECT_EQ(logins_.forgotten, 0u) << "it has not logged in";
  (void)ScriptedClient(core_, 2).ask(wish({Feature::auth}));
  EXPECT_EQ(logins_.forgotten, 1u);
}

TEST_F(LoginTest, OnceAlone) {
  client_.connect();
  EXPECT_TRUE(come({Feature::auth}).starts_with("ERROR from=0 code=-95\nclosed"));
}

// Requests that come with the last words of a login wait until it is known what is allowed.
TEST_F(LoginTest, RequestsWaitForAdmission) {
  ServedClient served(core_, {.client = 2}, {});
  served.sent(served.unsent().size());
  ByteWriter all;
  const auto fetch = wire::DescRequest{.pmid = ScriptedAgent::kOne};
  for (const wire::PduBody& body : {wish({Feature::auth}), say("sesame"), wire::PduBody(fetch)}) {
    wire::encode({.body = body}, all);
  }
  std::ranges::copy(all.written(), served.room().begin());
  served.received(all.size());
  EXPECT_EQ(pdus_text(served.unsent()), "ATTR from=0 attribute=0 value=\"PLAIN\"\n");
  served.sent(served.unsent().size());
  ASSERT_NE(served.awaits_admission(), nullptr);
  EXPECT_EQ(served.awaits_admission()->name, "bob");
  served.restrict_to(0, kFetchOperation);
  served.admit();
  EXPECT_EQ(pdus_text(served.unsent()), "ERROR from=0 code=-12387\n");
}

// What SASL would say, in the thread of logins.
class SlowCheck final : public SaslCheck {
 public:
  Result<std::string> offer() override { return "PLAIN"; }
  Result<std::string> take(std::string_view said) override {
    user_ = said == "nobody2" ? "" : said;
    if (user_.empty()) return fail(Fault::io, "unknown");
    return "";
  }
  const std::string& user() const override { return user_; }

 private:
  std::string user_;
};

TEST(LoginThreadTest, TakesStepsOfSeveralClients) {
  std::mutex mutex;
  std::condition_variable came;
  size_t ended = 0;
  LoginThread logins([] { return std::make_unique<SlowCheck>(); },
                     [&](const LoginStepPtr&) {
                       const std::scoped_lock lock(mutex);
                       ++ended;
                       came.notify_one();
                     });
  std::vector<LoginStepPtr> steps;
  for (const uint32_t client : {1u, 2u}) {
    steps.push_back(std::make_shared<LoginStep>(LoginStep{.client = client, .begins = true}));
  }
  steps.push_back(std::make_shared<LoginStep>(LoginStep{.client = 1, .said = "root"}));
  steps.push_back(std::make_shared<LoginStep>(LoginStep{.client = 2, .said = "nobody2"}));
  steps.push_back(std::make_shared<LoginStep>(LoginStep{.client = 1, .said = "no such user here"}));
  for (const LoginStepPtr& step : steps) logins.take(step);
  {
    std::unique_lock lock(mutex);
    ASSERT_TRUE(came.wait_for(lock, seconds(30), [&] { return ended == steps.size(); }));
  }
  EXPECT_EQ(steps[0]->reply.value(), "PLAIN");
  ASSERT_TRUE(steps[2]->user);
  EXPECT_EQ(steps[2]->user->user_id, 0u);
  EXPECT_FALSE(steps[3]->reply);
  EXPECT_EQ(steps[4]->reply.error().pm_code(), -ESRCH);
  logins.forget(1);
}

}  // namespace
}  // namespace pmjit
