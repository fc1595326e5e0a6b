#include "rules/daemon_config/config_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "runtime/base/chars.h"
#include "runtime/base/near.h"
#include "runtime/text/zone.h"

namespace pmjit {
namespace {

constexpr std::string_view kCredential = "cred:";

void check_zone(const ConfigValue& value, const ConfigValue::Item& item, ConfigProblems& problems) {
  if (item.text.empty()) return;
  const auto zone = known_zone(item.text);
  if (zone) return;
  ConfigProblem& problem = problems.add(ProblemCode::bad_zone, value.place, zone.error().what());
  if (const auto nearest = nearest_zone(item.text)) {
    problem.help(near_names_text({*nearest}));
  } else if (!zone.error().help().empty()) {
    problem.help(zone.error().help());
  }
}

bool is_url(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    const std::string_view host = rest.substr(0, std::min(rest.find_first_of("/?#"), rest.size()));
    const bool is_printable = std::ranges::all_of(
        text, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '\x7f'; });
    return !host.empty() && host.front() != ':' && host.find('@') == host.npos && is_printable;
  }
  return false;
}

// The sink appends the path itself.
void check_alertmanager(const ConfigValue::Item& item, ConfigProblems& problems) {
  const size_t path = item.text.rfind("/api/");
  if (path == item.text.npos) return;
  problems
      .add(ProblemCode::bad_address, item.place,
           fmt::format("\"{}\" has the path of alerts, and pmjit appends that", item.text))
      .help(fmt::format("write \"{}\"", item.text.substr(0, path)));
}

void check_url(const ConfigValue::Item& item, ConfigProblems& problems) {
  if (item.text.empty() || is_url(item.text)) return;
  ConfigProblem& problem = problems.add(ProblemCode::bad_address, item.place,
                                        fmt::format("\"{}\" is not a URL", item.text));
  if (item.text.find('@') != item.text.npos) {
    problem.help("name user and password by `user` and `password_file`");
  } else {
    problem.help("write http://HOST:PORT or https://HOST:PORT");
  }
}

void check_label(const ConfigValue::Item& item, ConfigProblems& problems) {
  const bool is_reserved = is_label_of_all(item.text);
  if (is_label_name(item.text) && !is_reserved) return;
  problems
      .add(ProblemCode::out_of_range, item.place,
           fmt::format("\"{}\" {}", item.text,
                       is_reserved ? "is a label that every alert has" : "is not a label name"))
      .help("a label name has letters, digits and _, and does not begin with a digit");
}

void check_program(const ConfigValue& value, const ConfigFiles& files, ConfigProblems& problems) {
  if (!value.items.empty() && value.items.front().text.starts_with('/')) {
    const std::string& program = value.items.front().text;
    if (files.can_run(program)) return;
    problems
        .add(ProblemCode::unusable_path, value.items.front().place,
             fmt::format("{} is not a program that this user can run", program))
        .help("messages to this sink fail until it is there");
    return;
  }
  problems
      .add(ProblemCode::out_of_range, value.place,
           fmt::format("`{}` does not begin with an absolute path", value.key->name))
      .help("write [\"/usr/bin/program\", \"argument\"]");
}

// Paths of one table.
class PathFinisher {
 public:
  PathFinisher(const ConfigSurroundings& surroundings, ConfigProblems& problems)
      : surroundings_(surroundings), problems_(problems) {}

  void finish(ConfigValue& value) {
    const bool is_secret = value.key->range == "@secret";
    for (ConfigValue::Item& item : value.items) {
      if (item.text.empty() || item.text == "-") continue;
      if (is_secret && item.text.starts_with(kCredential)) {
        if (!finish_credential(item)) continue;
      } else {
        item.text = beside(problems_.source(item.place.source).name, item.text);
      }
      if (value.key->range == "@written" && !surroundings_.files.can_write(item.text)) {
        problems_
            .add(ProblemCode::unusable_path, item.place,
                 fmt::format("this user cannot write {}", item.text))
            .help("create its folder, or run the daemon as a user who may write there");
      }
      if (is_secret && !surroundings_.files.can_read(item.text)) {
        problems_
            .add(ProblemCode::bad_secret, item.place,
                 fmt::format("cannot read the secret {}", item.text))
            .help("is the name right, and may this user read it?");
      }
    }
    if (value.key->type == ConfigValueType::paths) find_files(value);
  }

 private:
  bool finish_credential(ConfigValue::Item& item) {
    const std::string name = item.text.substr(kCredential.size());
    if (name.empty() || name.find('/') != name.npos) {
      problems_.add(ProblemCode::bad_secret, item.place,
                    fmt::format("\"{}\" is not a name of a credential", name));
    } else if (surroundings_.credentials.empty()) {
      problems_.add(ProblemCode::bad_secret, item.place, "$CREDENTIALS_DIRECTORY is not set")
          .help("the service manager sets it: LoadCredential= in the unit");
    } else {
      item.text = fmt::format("{}/{}", surroundings_.credentials, name);
      return true;
    }
    return false;
  }

  void find_files(ConfigValue& value) {
    std::vector<ConfigValue::Item> found;
    if (value.items.empty() && value.key->section == ConfigSectionId::RulesBlock) {
      problems_.add(ProblemCode::no_files, value.place)
          .help("name files of rules: files = [\"busy.pmie\"]");
    }
    for (const ConfigValue::Item& item : value.items) {
      const bool is_pattern = is_glob(item.text);
      const std::vector<std::string> paths = is_pattern ? surroundings_.files.matching(item.text)
                                                        : std::vector<std::string>{item.text};
      if (paths.empty()) problems_.add(ProblemCode::no_match, item.place, item.text);
      if (!is_pattern && !surroundings_.files.can_read(item.text)) {
        const std::string near = near_file(item.text);
        const bool exists = !surroundings_.files.matching(item.text).empty();
        problems_
            .add(ProblemCode::bad_file, item.place,
                 fmt::format("{}: {}", item.text, exists ? "permission denied" : "no such file"))
            .help(exists         ? fmt::format("ls -l {} shows who may read it", item.text)
                  : near.empty() ? "paths are as seen from the folder of this file"
                                 : near);
      }
      for (const std::string& path : paths) {
        if (std::ranges::find(found, path, &ConfigValue::Item::text) == found.end()) {
          found.push_back({path, item.place});
          continue;
        }
        problems_.add(ProblemCode::file_twice, item.place, path).help("leave one of the two out");
      }
    }
    value.items = std::move(found);
  }

  // "did you mean rules.pmie?", of the names in its folder; empty: there is none like it.
  [[nodiscard]] std::string near_file(const std::string& path) const {
    const size_t folder = path.rfind('/') + 1;  // npos + 1 is 0
    std::vector<std::string> names = surroundings_.files.matching(path.substr(0, folder) + "*");
    for (std::string& name : names) name.erase(0, folder);
    std::erase(names, path.substr(folder));
    return near_names_text(near_paths(path, names));
  }

  const ConfigSurroundings& surroundings_;
  ConfigProblems& problems_;
};

void check_items(const ConfigValue& value, const ConfigFiles& files, ConfigProblems& problems) {
  const std::string_view range = value.key->range;
  if (range == "@program") return check_program(value, files, problems);
  for (const ConfigValue::Item& item : value.items) {
    if (range == "@zone") check_zone(value, item, problems);
    if (range == "@url") check_url(item, problems);
    if (range == "@url" && value.key->name == "urls") check_alertmanager(item, problems);
    if (range == "@label") check_label(item, problems);
    if (range == "@address" && !read_listen_address(item.text)) {
      problems
          .add(ProblemCode::bad_address, item.place,
               fmt::format("\"{}\" is not an address to listen at", item.text))
          .help(item.text.starts_with(':')
                    ? fmt::format("write \"127.0.0.1{0}\", or \"0.0.0.0{0}\" "
                                  "for all who ask",
                                  item.text)
                    : "write HOST:PORT, [IPV6]:PORT, or \"\" for none");
    }
  }
}

}  // namespace

void finish_values(ConfigValues& values, const ConfigSurroundings& surroundings,
                   ConfigProblems& problems) {
  using enum ConfigValueType;
  PathFinisher finisher(surroundings, problems);
  for (ConfigValue& value : values.all) {
    const ConfigValueType type = value.key->type;
    check_items(value, surroundings.files, problems);
    if (type == path || type == ConfigValueType::glob || type == paths) finisher.finish(value);
  }
}

bool ListenAddress::is_loopback() const {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::optional<ListenAddress> read_listen_address(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != host.npos) {
    return std::nullopt;
  }
  const auto fits = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view(".-:%_").find(c) != std::string_view::npos;
  };
  ListenAddress out{.host = std::string(host)};
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), out.port);
  const bool is_port = wrong == std::errc{} && end == digits.data() + digits.size();
  if (!is_port || host.empty() || !std::ranges::all_of(host, fits)) return std::nullopt;
  return out;
}

}  // namespace pmjit
