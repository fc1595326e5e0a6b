#include "runtime/client/host_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "runtime/base/chars.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

struct AttributeWord {
  std::string_view word;
  HostAttribute attribute;
};
// The first word of an attribute is its name.
constexpr AttributeWord kAttributeWords[] = {
    AttributeWord{"compress", HostAttribute::compress},
    AttributeWord{"userauth", HostAttribute::userauth},
    AttributeWord{"authorise", HostAttribute::userauth},
    AttributeWord{"authorize", HostAttribute::userauth},
    AttributeWord{"username", HostAttribute::username},
    AttributeWord{"user", HostAttribute::username},
    AttributeWord{"password", HostAttribute::password},
    AttributeWord{"pass", HostAttribute::password},
    AttributeWord{"method", HostAttribute::method},
    AttributeWord{"authmeth", HostAttribute::method},
    AttributeWord{"realm", HostAttribute::realm},
    AttributeWord{"secure", HostAttribute::secure},
    AttributeWord{"container", HostAttribute::container},
    AttributeWord{"unixsock", HostAttribute::unixsock},
    AttributeWord{"unix", HostAttribute::unixsock},
    AttributeWord{"local", HostAttribute::local},
    AttributeWord{"userid", HostAttribute::userid},
    AttributeWord{"uid", HostAttribute::userid},
    AttributeWord{"groupid", HostAttribute::groupid},
    AttributeWord{"gid", HostAttribute::groupid},
    AttributeWord{"processid", HostAttribute::processid},
    AttributeWord{"pid", HostAttribute::processid},
    AttributeWord{"exclusive", HostAttribute::exclusive},
};

constexpr uint64_t kHugePort = 1u << 31;  // larger ones are as wrong as this

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// URL encoding: %XX, and + is a blank.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

constexpr std::string_view kHidden = "***";

// Of a text that may be wrong: texts of specifications get into logs.
std::string without_password(std::string_view text) {
  std::string out(text);
  for (const std::string_view name : {"?password=", "&password=", "?pass=", "&pass="}) {
    for (size_t at = out.find(name); at != std::string::npos; at = out.find(name, at + 1)) {
      const size_t begin = at + name.size();
      out.replace(begin, std::min(out.find_first_of("&/", begin), out.size()) - begin, kHidden);
    }
  }
  return out;
}

// One walk over the text. A step that fails leaves its problem, and the walk ends.
class HostSpecParser {
 public:
  explicit HostSpecParser(std::string_view text) : text_(text) { spec_.text = text; }

  std::expected<HostSpec, HostSpecProblem> run() {
    scheme();
    const bool good = spec_.kind == HostSpec::Kind::remote ? hosts() : path();
    if (good && peek() == '?') {
      ++at_;
      attributes();
    }
    if (problem_) return std::unexpected(*problem_);
    for (auto at = passwords_.rbegin(); at != passwords_.rend(); ++at) {
      spec_.text.replace(at->first, at->second, kHidden);
    }
    return std::move(spec_);
  }

 private:
  // NUL stands for the end; one within the text is a character as any other.
  [[nodiscard]] bool ended() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return ended() ? '\0' : text_[at_]; }

  bool refuse(std::string_view message) {
    problem_ = {.code = pm_err::E_GENERIC, .offset = at_, .message = message};
    return false;
  }

  void scheme() {
    using Kind = HostSpec::Kind;
    constexpr std::array<std::pair<std::string_view, Kind>, 4> kSchemes{
        {{"pcp", Kind::remote},
         {"pcps", Kind::remote},
         {"local", Kind::local},
         {"unix", Kind::unix_socket}}};
    for (const auto& [word, kind] : kSchemes) {
      if (!text_.starts_with(word) || text_.size() == word.size() || text_[word.size()] != ':') {
        continue;
      }
      spec_.scheme = word;
      spec_.kind = kind;
      at_ = word.size() + 1;
      while (peek() == '/') ++at_;
      return;
    }
  }

  // Of a socket. It has one slash in front, however it was written.
  bool path() {
    const size_t end = std::min(text_.find_first_of(":?", at_), text_.size());
    if (end > at_) spec_.path = fmt::format("/{}", text_.substr(at_, end - at_));
    at_ = end;
    return peek() == ':' ? refuse("unexpected terminal character") : true;
  }

  bool hosts() {
    if (ended() || peek() == '/' || peek() == '?') return true;
    do {
      if (!address()) return false;
    } while (peek() == '@' && ++at_ != 0);
    if (peek() == '/') at_ = text_.size();  // what follows says nothing
    return true;
  }

  bool address() {
    HostSpec::Address out;
    const bool is_bracketed = peek() == '[';
    if (is_bracketed) {
      const size_t end = text_.find(']', at_);
      if (end == std::string_view::npos) {
        at_ = text_.size();
        return refuse("missing closing ']' for host spec");
      }
      out.name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      if (!ended() && std::string_view(":@/?").find(peek()) == std::string_view::npos) {
        return refuse("extra characters after host spec");
      }
    } else {
      const size_t end = std::min(text_.find_first_of(":@/?", at_), text_.size());
      out.name = text_.substr(at_, end - at_);
      at_ = end;
    }
    const bool may_be_empty = is_bracketed || !spec_.addresses.empty();
    if (out.name.empty() && !may_be_empty) return refuse("unexpected terminal character");
    if (peek() == ':' && !ports(out)) return false;
    spec_.addresses.push_back(std::move(out));
    return true;
  }

  bool ports(HostSpec::Address& out) {
    do {
      ++at_;
      const size_t first = at_;
      uint64_t port = 0;
      for (; is_digit(peek()); ++at_) {
        port = std::min(port * 10 + static_cast<uint64_t>(peek() - '0'), kHugePort);
      }
      const bool ends = ended() || std::string_view(",@/?").find(peek()) != std::string_view::npos;
      if (!ends) return refuse("non-numeric port");
      if (at_ == first) return refuse("missing port");
      out.ports.push_back(static_cast<uint32_t>(port));
    } while (peek() == ',');
    return true;
  }

  void attributes() {
    const size_t end = std::min(text_.find('/', at_), text_.size());
    while (at_ < end) {
      const size_t stop = std::min(text_.find('&', at_), end);
      if (!attribute(text_.substr(at_, stop - at_))) return;
      at_ = std::min(stop + 1, end);
    }
  }

  // As PCP does.
  bool ignore(std::string_view text) {
    if (!text.empty()) spec_.ignored.emplace_back(text.substr(0, text.find('=')));
    return true;
  }

  bool attribute(std::string_view text) {
    const size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const auto found = std::ranges::find(kAttributeWords, name, &AttributeWord::word);
    if (found == std::end(kAttributeWords)) return ignore(text);
    if (found->attribute == HostAttribute::password && equals != std::string_view::npos) {
      passwords_.emplace_back(at_ + equals + 1, text.size() - equals - 1);
    }
    std::optional<std::string> value{std::string()};
    if (equals != std::string_view::npos) {
      if (text.find('=', equals + 1) != std::string_view::npos) return ignore(text);
      value = decoded(text.substr(equals + 1));
    }
    if (!value) {
      problem_ = {.code = -EINVAL, .offset = at_ + equals + 1};
      return false;
    }
    spec_.attributes.insert_or_assign(found->attribute, *std::move(value));
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  HostSpec spec_;
  std::optional<HostSpecProblem> problem_;
  std::vector<std::pair<size_t, size_t>> passwords_;  // offset and bytes of each in the text
};

// What ::1, :44321 and web1:1,web2:2 are meant to be; "": it is another mistake.
std::string meant_spec(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const bool is_address = std::ranges::count(text, ':') > 1 &&
                          text.find_first_not_of("0123456789abcdefABCDEF:.") == text.npos;
  if (is_address) return fmt::format("[{}]", text);
  if (text.starts_with(':') && text.size() > 1 && text.find_first_not_of(kDigits, 1) == text.npos) {
    return fmt::format("localhost{}", text);
  }
  if (!text.contains(',') || text.find_first_of("?@/[]") != text.npos) return {};
  std::string out;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view host = text.substr(at, end - at);
    // Digits are a port.
    if (host.find_first_not_of(kDigits) == host.npos) return {};
    out += fmt::format("{}-h {}", out.empty() ? "" : " ", host);
    at = end + 1;
  }
  return out;
}

Error refused(const HostSpec& spec, std::string what, std::string help) {
  return Error(Fault::unsupported, std::move(what))
      .at("host specification", spec.text)
      .pm_code(-EOPNOTSUPP)
      .help(std::move(help));
}

}  // namespace

std::string_view attribute_name(HostAttribute attribute) {
  return std::ranges::find(kAttributeWords, attribute, &AttributeWord::attribute)->word;
}

bool HostSpec::wants_login() const {
  using enum HostAttribute;
  return std::ranges::any_of(std::array{userauth, username, password, method, realm},
                             [this](HostAttribute one) { return attributes.contains(one); });
}

std::optional<std::string> HostSpec::container() const {
  const std::string* const name = attribute(HostAttribute::container);
  return name != nullptr ? std::optional(*name) : std::nullopt;
}

const std::string* HostSpec::attribute(HostAttribute which) const {
  const auto found = attributes.find(which);
  return found == attributes.end() ? nullptr : &found->second;
}

std::string HostSpec::host() const {
  if (kind != Kind::remote) return "localhost";
  return addresses.empty() ? std::string() : addresses.front().name;
}

std::expected<HostSpec, HostSpecProblem> parse_host_spec(std::string_view text) {
  return HostSpecParser(text).run();
}

std::string_view host_of_url(std::string_view text) {
  for (const std::string_view web : {"http://", "https://"}) {
    if (!text.starts_with(web)) continue;
    const std::string_view rest = text.substr(web.size());
    return rest.substr(0, rest.find_first_of(":/?@"));
  }
  return {};
}

Error spec_error(std::string_view text, const HostSpecProblem& problem) {
  if (problem.code == -EINVAL) {
    return Error(Fault::usage, "an attribute's value has a % without two hexadecimal digits")
        .at("host specification", without_password(text))
        .pm_code(problem.code)
        .help("write a % itself as %25");
  }
  if (const std::string_view host = host_of_url(text); !host.empty()) {
    return Error(Fault::usage, "a host is asked in PCP's own protocol, not over HTTP")
        .at("host specification", without_password(text))
        .pm_code(problem.code)
        .help(fmt::format("write its name alone, as in -h {}", host));
  }
  if (const std::string meant = meant_spec(text); !meant.empty()) {
    return Error(Fault::usage, "is not how a host is written")
        .at("host specification", without_password(text))
        .pm_code(problem.code)
        .help(fmt::format("did you mean {}?", meant));
  }
  const std::string_view rest = text.substr(std::min(problem.offset, text.size()));
  const std::string where = rest.empty() ? "at its end" : fmt::format("at \"{}\"", rest);
  return Error(Fault::usage, fmt::format("{} {}", problem.message, where))
      .at("host specification", without_password(text))
      .pm_code(problem.code)
      .help("write HOST, HOST:PORT, [IPV6]:PORT, unix:/PATH or local:");
}

std::string pcp_text(std::string_view text, const HostSpecProblem& problem) {
  if (problem.message.empty()) return "(null)";
  return fmt::format("{}\n{:>{}} -- {}\n", text, '^', problem.offset + 1, problem.message);
}

std::optional<Error> container_refusal(std::string_view container, std::string_view from) {
  if (container.size() <= limits::kAttributeBytesMax) return std::nullopt;
  return Error(Fault::usage,
               fmt::format("the name of a container has {} bytes, and {} fit into a request ({})",
                           container.size(), limits::kAttributeBytesMax, from))
      .pm_code(pm_err::E_IPC)
      .help(fmt::format("name the container as the host does, or leave {} out", from));
}

Error no_such_port(uint32_t number, const HostSpec& spec) {
  constexpr uint32_t kCutOff = 1u << 31;  // more digits than a number has room for
  return Error(Fault::usage, number >= kCutOff ? "there is no port of such a number"
                                               : fmt::format("there is no port {}", number))
      .at("host specification", spec.text)
      .pm_code(-EINVAL)
      .help("ports are 1 to 65535; a collector's is 44321");
}

std::optional<Error> port_refusal(const HostSpec& spec) {
  for (const HostSpec::Address& address : spec.addresses) {
    for (const uint32_t port : address.ports) {
      if (port == 0 || port > UINT16_MAX) return no_such_port(port, spec);
    }
  }
  return std::nullopt;
}

std::optional<Error> attribute_refusal(const HostSpec& spec) {
  if (spec.ignored.empty()) return std::nullopt;
  const std::string& name = spec.ignored.front();
  std::vector<std::string> names;
  for (const AttributeWord& one : kAttributeWords) names.emplace_back(one.word);
  const bool known = std::ranges::find(names, name) != names.end();
  Error out(Fault::usage, known ? fmt::format("the value of {} has an = in it", name)
                                : fmt::format("there is no attribute {}", name));
  // Without the values: one may be a password.
  out = std::move(out)
            .at("host specification", spec.text.substr(0, spec.text.find('?')))
            .pm_code(-EINVAL);
  if (known) return std::move(out).help("write an = of a value as %3D");
  const std::vector<std::string> all = near_names(name, names);
  std::vector<std::string> slips = all;
  keep_slips(name, slips);
  const std::string near = near_names_text(slips.empty() ? all : slips);
  return std::move(out).help(
      near.empty() ? "usual ones are user, method, container and secure, as in 'HOST?user=tanya'"
                   : near);
}

std::optional<Error> spec_refusal(const HostSpec& spec) {
  const bool path = spec.text.starts_with('/') && spec.text.size() > 1;
  if (spec.kind == HostSpec::Kind::remote && spec.host().empty() && path) {
    return Error(Fault::usage, "is not how a socket is written")
        .at("host specification", spec.text)
        .pm_code(pm_err::E_NOTHOST)
        .help(fmt::format("did you mean unix:{}?", spec.text));
  }
  if (spec.kind == HostSpec::Kind::remote && spec.host().empty()) {
    return Error(Fault::usage, "no host is named")
        .at("host specification", spec.text)
        .pm_code(pm_err::E_NOTHOST)
        .help("write HOST, or local: for this machine");
  }
  if (spec.attributes.contains(HostAttribute::compress)) {
    return refused(spec, "no collector supports compressed connections", "remove \"compress\"");
  }
  const std::string* const secure = spec.attribute(HostAttribute::secure);
  const bool is_wish =
      secure == nullptr || secure->empty() || *secure == "enforce" || *secure == "relaxed";
  if (spec.wants_tls() && !is_wish) {
    return refused(spec, fmt::format("there is no secure={}", *secure),
                   "write secure=enforce, or secure=relaxed: encrypted where the host can");
  }
  return container_refusal(spec.container().value_or(""), "?container=");
}

}  // namespace pmjit
