#include "agent/collector/collector_config.h"

#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "agent/collector/config_words.h"

namespace pmjit {

namespace {

constexpr uint32_t kDomainMax = 510;

bool is_number(const std::string& text, uint32_t& out) {
  const char* const end = text.data() + text.size();
  const auto [place, error] = std::from_chars(text.data(), end, out);
  return error == std::errc{} && place == end && !text.empty();
}

// Statements of one text: those of pmcd.conf behind "[access]", or a whole FILE.access.
class AccessReader {
 public:
  AccessReader(ConfigWords& words, std::string_view of, CollectorConfig& config,
               const AccessNames& names)
      : words_(words), of_(of), config_(config), names_(names) {}

  void read_header();
  void read_statements();

 private:
  enum class Subject : uint8_t { host, user, group };
  struct Statement {
    Subject subject = Subject::host;
    std::vector<std::string> names{};
    AccessRule rule{};
  };

  void advance();
  [[nodiscard]] bool at(std::string_view keyword) const { return word_ && word_->is(keyword); }
  [[nodiscard]] bool at_end_of_statement() const { return !word_ || word_->is(";"); }
  bool wrong(std::string_view what);
  [[nodiscard]] bool read_statement(Statement& out);
  [[nodiscard]] bool read_names(Statement& out);
  [[nodiscard]] bool read_permissions(bool allows, Statement& out);
  [[nodiscard]] bool read_permission(bool allows, AccessRule& rule);
  [[nodiscard]] bool read_limit(bool allows, AccessRule& rule);
  void skip_statement();
  void add(const Statement& statement);

  ConfigWords& words_;
  std::string_view of_;
  CollectorConfig& config_;
  const AccessNames& names_;
  std::optional<ConfigWord> word_{};
  bool has_all_ = false, has_except_ = false, has_specific_ = false, has_limit_ = false;
  bool behind_except_ = false;
  bool has_failed_ = false;  // and was told
  uint32_t valid_ = 0;
};

std::string place_of(std::string_view of, uint32_t line) {
  return fmt::format("{} config[line {}]: ", of, line);
}

bool AccessReader::wrong(std::string_view what) {
  config_.messages.push_back(fmt::format("{}Error: {}", place_of(of_, words_.line()), what));
  config_.good = false;
  return false;
}

// The first word that cannot be read has its message here.
void AccessReader::advance() {
  word_ = words_.next();
  if (!words_.failure().empty() && !std::exchange(has_failed_, true)) wrong(words_.failure());
}

void AccessReader::read_header() {
  advance();  // the bracket
  advance();
  if (!at("access")) {
    wrong("\"access\" keyword expected");
    return;
  }
  advance();
  if (!at("]")) {
    wrong("']' expected");
    return;
  }
  read_statements();
}

void AccessReader::read_statements() {
  bool failed = false;
  advance();
  while (word_) {
    Statement statement;
    if (read_statement(statement)) {
      add(statement);
      advance();
    } else {
      failed = true;
      skip_statement();
    }
  }
  if (!words_.failure().empty()) return;
  const bool said = failed || !config_.good;
  if (valid_ == 0 && !said) wrong("no valid statements in [access] section");
}

// Behind the next semicolon.
void AccessReader::skip_statement() {
  while (!at_end_of_statement()) advance();
  advance();
}

bool AccessReader::read_statement(Statement& out) {
  const bool allows = at("allow");
  if (!allows && !at("disallow")) return wrong("allow or disallow statement expected");
  advance();
  if (at("user") || at("users")) out.subject = Subject::user;
  if (at("group") || at("groups")) out.subject = Subject::group;
  const bool said = out.subject != Subject::host || at("host") || at("hosts");
  if (said) advance();
  if (!read_names(out)) return false;
  return read_permissions(allows, out);
}

bool AccessReader::read_names(Statement& out) {
  constexpr std::string_view kSubjects[] = {"host", "user", "group"};
  const std::string_view subject = kSubjects[static_cast<size_t>(out.subject)];
  if (at_end_of_statement() || at(":")) {
    return wrong(fmt::format("no {}s in allow/disallow statement", subject));
  }
  while (true) {
    out.names.push_back(word_->text);
    advance();
    if (at(":")) break;
    if (!at(",")) return wrong(fmt::format("',' or ':' expected after \"{}\"", out.names.back()));
    advance();
    if (at_end_of_statement() || at(":"))
      return wrong(fmt::format("{} expected after ','", subject));
  }
  advance();
  return true;
}

bool AccessReader::read_permissions(bool allows, Statement& out) {
  has_all_ = has_except_ = has_specific_ = has_limit_ = behind_except_ = false;
  // At the end of the file pmcd refuses it, too, but does not say why.
  if (!word_ || at(";")) return wrong("empty or incomplete permissions list");
  AccessRule named;  // the operations that stand there
  while (true) {
    if (!read_permission(allows, named)) return false;
    if (at(";")) break;
    if (behind_except_) continue;
    if (!at(",")) return wrong("',' or ';' expected in permission list");
    advance();
    if (at_end_of_statement()) return wrong("misplaced (trailing) ',' in permission list");
  }
  out.rule.connections_max = named.connections_max;
  uint8_t mentioned = named.mentioned;
  if (has_except_) {
    mentioned = static_cast<uint8_t>(kAllOperations & ~named.mentioned);
  } else if (has_all_) {
    mentioned = kAllOperations;
  }
  out.rule.mentioned = mentioned;
  out.rule.denied = allows ? uint8_t{0} : mentioned;
  return true;
}

// One of the list; `behind_except_`: the word "except" was read, and an operation must follow.
bool AccessReader::read_permission(bool allows, AccessRule& rule) {
  if (at("maximum") || at("unlimited")) return read_limit(allows, rule);
  if (at("all")) {
    if (behind_except_) return wrong("can't have \"all\" within an \"all except\"");
    if (has_specific_ || has_except_) {
      return wrong("can't have \"all\" mixed with specific permissions");
    }
    has_all_ = true;
    advance();
    if (!at("except")) return true;
    has_except_ = behind_except_ = true;
    advance();
    if (!word_) return wrong("',' or ';' expected in permission list");
    return !at(";") || wrong("empty or incomplete permissions list");
  }
  const bool fetch = at("fetch"), store = at("store");
  if (!fetch && !store) return wrong("bad access specifier");
  if (has_all_ && !has_except_) return wrong("can't have \"all\" mixed with specific permissions");
  rule.mentioned |= fetch ? kFetchOperation : kStoreOperation;
  has_specific_ = true;
  behind_except_ = false;
  advance();
  return true;
}

bool AccessReader::read_limit(bool allows, AccessRule& rule) {
  if (has_limit_) return wrong("connection limit already specified");
  if (behind_except_) return wrong("connection limit may not immediately follow \"all except\"");
  if (!allows) return wrong("can't specify connection limit in a disallow statement");
  has_limit_ = true;
  const bool unlimited = at("unlimited");
  advance();
  if (!unlimited) {
    const bool positive =
        word_ && is_number(word_->text, rule.connections_max) && rule.connections_max != 0;
    if (!positive) return wrong("maximum connection limit must be a positive number");
    advance();
  }
  if (!at("connections")) return wrong("\"connections\" expected");
  advance();
  return true;
}

void AccessReader::add(const Statement& statement) {
  constexpr std::string_view kSubjects[] = {"host", "user", "group"};
  bool added = false;
  for (const std::string& name : statement.names) {
    AccessLists& lists = config_.access;
    std::vector<std::string>& notices = config_.messages;
    int code = 0;
    switch (statement.subject) {
      case Subject::host: code = lists.add_host(name, statement.rule, names_, notices); break;
      case Subject::user: code = lists.add_user(name, statement.rule, names_, notices); break;
      case Subject::group: code = lists.add_group(name, statement.rule, names_, notices); break;
    }
    if (code == 0) {
      added = true;
      continue;
    }
    const bool unknown_host = code == -EHOSTUNREACH;
    config_.messages.push_back(fmt::format("{}Warning: access control error for {} '{}': {}",
                                           place_of(of_, words_.line()),
                                           kSubjects[static_cast<size_t>(statement.subject)], name,
                                           unknown_host ? "No route to host" : "Invalid argument"));
    if (!unknown_host) config_.good = false;
  }
  if (added) ++valid_;
}

// ---- agents

class AgentLinesReader {
 public:
  AgentLinesReader(std::string_view text, CollectorConfig& config, const AccessNames& names)
      : words_(text), config_(config), names_(names) {}

  void read();

 private:
  [[nodiscard]] std::string agent_error(const std::vector<ConfigWord>& line, AgentLine& out);
  [[nodiscard]] static std::string dso_error(const std::vector<ConfigWord>& line, AgentLine& out);
  [[nodiscard]] static std::string pipe_error(const std::vector<ConfigWord>& line, AgentLine& out);
  [[nodiscard]] static std::string socket_error(const std::vector<ConfigWord>& line,
                                                AgentLine& out);

  ConfigWords words_;
  CollectorConfig& config_;
  const AccessNames& names_;
};

std::vector<std::string> texts_from(const std::vector<ConfigWord>& line, size_t first) {
  std::vector<std::string> out;
  for (size_t i = first; i < line.size(); ++i) out.push_back(line[i].text);
  return out;
}

void AgentLinesReader::read() {
  bool last_good = true;
  while (words_.next_line()) {
    if (words_.begins_access()) {
      config_.good = last_good;
      // pmcd looks at the section only if the line before it was good.
      if (last_good) AccessReader(words_, "pmcd", config_, names_).read_header();
      return;
    }
    AgentLine agent;
    const std::string error = agent_error(words_.take_line(), agent);
    last_good = error.empty();
    config_.good = last_good;
    if (last_good) {
      config_.agents.push_back(std::move(agent));
      continue;
    }
    config_.messages.push_back(fmt::format("{}Error: {}", place_of("pmcd", words_.line()), error));
    // So pmcd has it: the next line is lost, too.
    const bool relative_dso = error.ends_with("to PMDA is not absolute");
    if (relative_dso && !words_.next_line()) break;
  }
  if (words_.failure().empty()) return;
  config_.messages.push_back(
      fmt::format("{}Error: {}", place_of("pmcd", words_.line()), words_.failure()));
  config_.messages.emplace_back("pmcd config: Can't continue, giving up");
  config_.good = false;
}

std::string AgentLinesReader::agent_error(const std::vector<ConfigWord>& line, AgentLine& out) {
  out.label = line.front().text;
  if (line.size() < 2 || !is_number(line[1].text, out.domain)) {
    return fmt::format("expected domain number for \"{}\" agent", out.label);
  }
  if (out.domain > kDomainMax) {
    return fmt::format("Illegal domain number ({}) for \"{}\" agent", out.domain, out.label);
  }
  const auto same = std::ranges::find(config_.agents, out.domain, &AgentLine::domain);
  if (same != config_.agents.end()) {
    return fmt::format("domain number for \"{}\" agent clashes with \"{}\" agent", out.label,
                       same->label);
  }
  if (line.size() > 2 && line[2].is("dso")) return dso_error(line, out);
  if (line.size() > 2 && line[2].is("pipe")) return pipe_error(line, out);
  if (line.size() > 2 && line[2].is("socket")) return socket_error(line, out);
  return "expected `dso', `socket' or `pipe'";
}

std::string AgentLinesReader::dso_error(const std::vector<ConfigWord>& line, AgentLine& out) {
  out.transport = AgentTransport::dso;
  if (line.size() < 4) return "expected DSO entry point";
  if (line.size() < 5) return "expected DSO pathname";
  out.entry = line[3].text;
  out.path = line[4].text;
  if (!out.path.starts_with('/')) {
    return fmt::format("path \"{}\" to PMDA is not absolute", out.path);
  }
  return line.size() > 5 ? "too many parameters for DSO" : "";
}

std::string AgentLinesReader::pipe_error(const std::vector<ConfigWord>& line, AgentLine& out) {
  out.transport = AgentTransport::pipe;
  if (line.size() < 4 || !line[3].is("binary")) return "pipe PDU type expected (`binary')";
  size_t first = 4;
  for (; first < line.size() && line[first].is("notready"); ++first) out.not_ready = true;
  out.command = texts_from(line, first);
  return out.command.empty() ? "command to create pipe agent expected." : "";
}

std::string AgentLinesReader::socket_error(const std::vector<ConfigWord>& line, AgentLine& out) {
  if (line.size() > 3 && line[3].is("inet")) {
    out.transport = AgentTransport::inet;
  } else if (line.size() > 3 && line[3].is("ipv6")) {
    out.transport = AgentTransport::ipv6;
  } else if (line.size() > 3 && line[3].is("unix")) {
    out.transport = AgentTransport::local;
  } else {
    return "expected socket address domain (`inet', `ipv6', or `unix')";
  }
  if (line.size() < 5) return "expected socket port name or number";
  out.command = texts_from(line, 5);
  if (out.transport == AgentTransport::local) {
    out.path = line[4].text;
    return "";
  }
  if (is_number(line[4].text, out.port)) return "";
  const servent* const service = getservbyname(line[4].text.c_str(), nullptr);
  if (service == nullptr) {
    return fmt::format("failed to get port number for port name {}", line[4].text);
  }
  out.port = ntohs(static_cast<uint16_t>(service->s_port));
  return "";
}

}  // namespace

bool AgentLine::same_agent(const AgentLine& other) const {
  return domain == other.domain && transport == other.transport && entry == other.entry &&
         path == other.path && port == other.port && command == other.command;
}

CollectorConfig read_collector_config(const ConfigTexts& texts, const AccessNames& names) {
  CollectorConfig out;
  AgentLinesReader(texts.text, out, names).read();
  if (out.good && texts.access) {
    ConfigWords words(*texts.access);
    AccessReader(words, "access", out, names).read_statements();
  }
  if (names.own_addresses) out.own_addresses = names.own_addresses();
  return out;
}

}  // namespace pmjit
