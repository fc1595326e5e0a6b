// DebugSession: runs the commands of dbpmda, a line each, and keeps its state between them. Source:
// spec collector-and-agents.md §3.4.
//
//   DebugSession session({.name_space = "my.pmns"}, clock);
//   if (!session.load_names()) return 1;
//   while (getline(input, line) && session.do_line(line, whole, {.echo = true})) …
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/collector/name_space_tree.h"
#include "agent/debugger/agent_channel.h"
#include "runtime/base/byte_writer.h"
#include "runtime/base/clock.h"
#include "runtime/model/desc.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

// A word of a line.
struct CommandWord {
  enum class Kind : uint8_t { name, number, string, comma, other };
  Kind kind = Kind::other;
  std::string text{};               // of a string without its quotes
  std::vector<uint32_t> numbers{};  // of 29.0.5: three
  size_t end = 0;                   // where it ends in the line
};

// A comment ends the line. `paths`: words between blanks, whatever is in them.
[[nodiscard]] std::vector<CommandWord> command_words(std::string_view line);
[[nodiscard]] std::vector<CommandWord> path_words(std::string_view line);

struct DebugOptions {
  std::string name_space;  // empty: the default one
  std::chrono::seconds greeting{3};
};

// Where lines come from.
struct LineSource {
  std::string_view prompt = "dbpmda> ";
  bool prompted = false;  // it is shown
  bool echo = false;
  std::string_view file{};  // of commands; empty: standard input
  int number = 0;           // of the line
};

class DebugSession {
 public:
  DebugSession(const DebugOptions& options, const Clock& clock)
      : options_(options), clock_(clock) {}

  [[nodiscard]] bool load_names();  // false: it has been told why
  // False: that was the last.
  [[nodiscard]] bool do_line(std::string_view line, const LineSource& source);

#define COMMAND(word, run, usage, help) void run();
#include "agent/debugger/commands.def"
#undef COMMAND
  void do_help();

 private:
  // ---- words: each takes the next one, or says what is wrong
  [[nodiscard]] const CommandWord* peek() const;
  const CommandWord* take(CommandWord::Kind kind);
  [[nodiscard]] bool take_word(std::string_view word);
  std::optional<PmId> take_metric();
  std::optional<InDomId> take_indom();
  std::optional<std::string> take_path(std::string_view behind);
  [[nodiscard]] bool take_switch(bool& setting);
  [[nodiscard]] bool at_end();  // or it is a mistake
  // at_end(), and there is an agent.
  [[nodiscard]] bool ready();
  void mistake(std::string_view what);
  void echo_to(size_t end);

  // ---- requests
  // The answer as a message of this kind; null: what came in its place has been told.
  template <class Message>
  const Message* ask(std::string_view function, const wire::PduBody& request);
  void tell_failure(std::string_view function, int code);
  [[nodiscard]] std::optional<Desc> describe(PmId pmid);
  [[nodiscard]] bool send_profile(bool told);
  [[nodiscard]] bool fetch_sets(const std::vector<PmId>& pmids, std::vector<FetchedSet>& out);
  void put_sets(const std::vector<FetchedSet>& sets, const std::map<PmId, Desc>& descs);
  void put_instance(const Desc* desc, int32_t instance);
  void put_names(std::string_view kind, const wire::PduBody& request, bool traversed);
  void put_labels(uint32_t type, uint32_t ident);
  void put_texts(uint32_t ident, uint32_t of_what);
  void put_stored(const ByteWriter& pdu);
  void put_timer();
  void put_timer_of_process();  // of requests whose time PCP does not show for objects
  [[nodiscard]] bool has_interface(int least, std::string_view what);
  void put_profile() const;
  [[nodiscard]] std::string metric_names(PmId pmid) const;
  [[nodiscard]] bool read_names(const std::string& path);
  // What open_… of it has said; without a failure it takes the place of the agent before.
  void opened(std::unique_ptr<AgentChannel> agent, const std::string& said);
  [[nodiscard]] static bool store_text(const Desc& desc, const std::string& text, FetchedSet& set,
                                       Arena& arena);

  DebugOptions options_;
  const Clock& clock_;
  NameSpaceTree names_;
  std::unique_ptr<AgentChannel> agent_ = std::make_unique<AgentChannel>(clock_);
  std::optional<wire::PduBody> answer_;  // of the last request
  Arena arena_;                          // of the last fetch

  LineSource source_;
  std::string_view line_;
  std::vector<CommandWord> words_;
  size_t next_ = 0, echoed_ = 0;
  bool failed_ = false, going_on_ = true;

  bool timer_ = false, getdesc_ = false, getiname_ = false;
  std::set<size_t> debug_;  // places in the list of flags
  std::vector<wire::DomainProfile> profile_;
  bool profile_is_new_ = true;
  std::chrono::duration<double> waited_{};
};

}  // namespace pmjit
