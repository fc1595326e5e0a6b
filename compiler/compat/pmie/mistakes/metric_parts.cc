#include <fmt/format.h>

#include <algorithm>

#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/mistakes/statement_look.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kSamples =
    "samples count back from the latest: @0 is that, @1 the one before, @0..4 are five";

// Up to a blank, or to the end of the operand.
std::string_view written_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t\n;)<>=!&|'"));
}

// vd*: ^vd; vd?: ^vd.$; vd[ab]: ^vd[ab]$; /^vd/: ^vd
std::string pattern_of(std::string_view written) {
  if (written.size() > 1 && written.front() == '/' && written.back() == '/') {
    return std::string(written.substr(1, written.size() - 2));
  }
  const bool open = written.ends_with('*');
  if (open) written.remove_suffix(1);
  std::string out = written.starts_with('^') ? "" : "^";
  for (const char c : written) out += c == '*' ? ".*" : c == '?' ? "." : std::string(1, c);
  return open || out.ends_with('$') ? out : out + "$";
}

bool is_quoted(const RoughToken& token) { return token.text.starts_with('\''); }

}  // namespace

bool StatementLook::wrong_part(const RoughToken& token) {
  if (in_action_) return false;
  return no_pattern(token) || instance_pattern(token) || no_instance(token) ||
         no_plain_name(token) || late_host(token) || samples_before(token) || no_host(token) ||
         no_samples(token) || samples_apart(token) || samples_in_time(token);
}

// load #"1 minute", load #"1 minute > 5, load #1, load #1 minute', load #/dev/vda, load #(vda),
// load # > 5
bool StatementLook::no_instance(const RoughToken& token) {
  const bool is_text = token.kind == RoughToken::Kind::text;
  const bool host = is(before_, ":") && count_ > 2 && is_text;
  if (!is(before_, "#") && !host) return false;
  const bool number = token.kind == RoughToken::Kind::word && is_digit(token.text.front());
  const bool sign = token.kind == RoughToken::Kind::sign && token.text != "$";
  if (!is_text && !number && !sign) return false;
  const bool named = before_that_.kind == RoughToken::Kind::word;
  const std::string_view line = text_.substr(token.span.begin);
  std::string_view name = line.substr(0, line.find_first_of("<>=!&|@+*/)-;\n"));
  if (sign) name = written_word(line);
  if (is(token, "`")) name = line.substr(1, line.find_first_of("`<>\n", 1) - 1);
  while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
  if (number && name.ends_with('\'')) return no_quote_before(token.span.begin, name);
  if (is_text) name = token.text.substr(1, token.text.size() - (token.open ? 1 : 2));
  const bool open = is_text && (token.open || name.find_first_of("<>") != name.npos);
  if (open) name = name_before_condition(name);
  if (sign && std::string_view("([{").contains(name.empty() ? ' ' : name.front())) {
    name.remove_prefix(1);
    while (!name.empty() && std::string_view(")]}").contains(name.back())) name.remove_suffix(1);
  }
  if (named && is_number(before_that_.text)) {
    mistake_ = {
        .where = before_.span,
        .message = "an instance stands behind a metric, not behind a number",
        .help = fmt::format("for instance: kernel.all.load #'{}' > {}", name, before_that_.text)};
    return true;
  }
  const bool none = name.empty() || before_.span.end != token.span.begin;
  mistake_ = {.where = sign && none ? before_.span
                       : open       ? Span{token.span.begin, token.span.begin + 1}
                                    : token.span,
              .message = sign && none ? "no name of an instance follows #"
                                      : fmt::format("the name of {} needs single quotes",
                                                    host ? "a host" : "an instance"),
              .help = fmt::format("write {} {}'{}'", named ? before_that_.text : "load",
                                  before_.text, sign && none ? "NAME" : name),
              .spoils_rest = open};
  if (sign && none) mistake_->help += "; without # all instances are meant";
  return true;
}

// match_inst '^sd' x, match_inst /^sd/ x, match_inst x "^sd"
bool StatementLook::no_pattern(const RoughToken& token) {
  if (before_.text != "match_inst" && before_.text != "nomatch_inst") return false;
  const std::string_view line = rest_of_line(token);
  std::string_view pattern = written_word(text_.substr(token.span.begin));
  const bool slashes = is(token, "/") && pattern.size() > 2 && pattern.ends_with('/');
  const bool quoted = token.kind == RoughToken::Kind::word && is_quoted(token);
  if (slashes || quoted) {
    if (quoted) pattern = token.text;
    pattern = pattern.substr(1, pattern.size() - (token.open ? 1 : 2));
    mistake_ = {.where = token.span,
                .message = fmt::format("the pattern of {} needs double quotes", before_.text),
                .help = fmt::format("write {} \"{}\"", before_.text, pattern)};
    return true;
  }
  const bool metric = token.kind == RoughToken::Kind::word && is_letter(token.text.front());
  const size_t open = line.find('"'), close = line.find('"', open + 1);
  if (!metric || open == line.npos || close == line.npos || line.find("->") < open) return false;
  mistake_ = {.where = token.span,
              .message = "the pattern stands before the metric",
              .help = fmt::format("write {} {} {}", before_.text,
                                  line.substr(open, close + 1 - open), token.text)};
  return true;
}

// #vd*, #'vd*', #vd[ab], #/^vd/, #*
bool StatementLook::instance_pattern(const RoughToken& token) {
  const std::string_view line = text_.substr(token.span.begin);
  const bool behind = is(before_, "#") && before_.span.end == token.span.begin;
  const bool joined = is(before_that_, "#") && before_.kind == RoughToken::Kind::word &&
                      !is_quoted(before_) && before_.span.end == token.span.begin &&
                      (is(token, "*") || is(token, "?") || is(token, "["));
  std::string_view written = written_word(joined ? text_.substr(before_.span.begin) : line);
  const bool slashes = behind && is(token, "/") && written.size() > 2 && written.ends_with('/');
  const bool quoted = behind && token.kind == RoughToken::Kind::word && is_quoted(token) &&
                      token.text.find_first_of("*?") != token.text.npos;
  const bool star = behind && (is(token, "*") || is(token, "?"));
  if (!joined && !slashes && !quoted && !star) return false;
  if (quoted) written = token.text.substr(1, token.text.size() - 2);
  mistake_ = {.where = joined ? before_.span : token.span,
              .message = "# takes the name of one instance, not a pattern",
              .help = fmt::format("match_inst selects instances: match_inst \"{}\" {} > 5",
                                  pattern_of(written), selected_),
              .may_be_metric = true};
  if (written == "*") mistake_->help = "leave out #*: without # all instances are meant";
  return true;
}

// #dm-0, :web-1, #eth0:1: a sign within a name that has no quotes
bool StatementLook::no_plain_name(const RoughToken& token) {
  const bool instance = is(before_that_, "#"), host = is(before_that_, ":");
  const bool name = before_.kind == RoughToken::Kind::word && !is_quoted(before_) &&
                    before_.span.begin == before_that_.span.end;
  const bool sign = is(token, "-") || is(token, "/") || (instance && is(token, ":"));
  const std::string_view next = text_.substr(token.span.end, 1);
  const bool joined = before_.span.end == token.span.begin && !next.empty() &&
                      (is_letter(next.front()) || is_digit(next.front()));
  if ((!instance && !host) || !name || !sign || !joined) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("{} with {} in its name needs single quotes",
                                     instance ? "an instance" : "a host", token.text),
              .help = fmt::format("write {}'{}'", before_that_.text,
                                  written_word(text_.substr(before_.span.begin))),
              .may_be_metric = true};
  // load #vda :web2 without blanks
  if (is(token, ":")) mistake_->help += "; a host stands before the instance";
  return true;
}

// load #'1 minute' :web2
bool StatementLook::late_host(const RoughToken& token) {
  const bool behind = is(before_that_, "#") && before_.kind == RoughToken::Kind::word;
  if (!is(token, ":") || !behind) return false;
  mistake_ = {.where = token.span,
              .message = "the host stands before the instance",
              .help = fmt::format("write METRIC :HOST #{}", before_.text)};
  return true;
}

// load @3 #'1 minute', load @0..4 :web2
bool StatementLook::samples_before(const RoughToken& token) {
  const bool behind = is(before_that_, "@") && before_.kind == RoughToken::Kind::word &&
                      is_digit(before_.text.front());
  if (!behind || (!is(token, "#") && !is(token, ":"))) return false;
  const std::string_view next = text_.substr(token.span.end, 1);
  if (is(token, ":") && !next.empty() && is_digit(next.front())) return false;  // @0:3
  const std::string_view what = is(token, "#") ? "instance" : "host";
  std::string_view written = text_.substr(token.span.begin);
  const size_t quote = written.starts_with("#'") ? written.find('\'', 2) : written.npos;
  written = quote != written.npos ? written.substr(0, quote + 1) : written_word(written);
  mistake_ = {.where = token.span,
              .message = fmt::format("the {} stands before the samples", what),
              .help = fmt::format("write METRIC {} @{}", written, before_.text)};
  return true;
}

// load :10.0.0.1, web1:load
bool StatementLook::no_host(const RoughToken& token) {
  const bool turned = is(before_, ":") && count_ > 2 && token.text.contains('.') &&
                      is_letter(token.text.front()) &&
                      before_that_.kind == RoughToken::Kind::word &&
                      !before_that_.text.contains('.') && is_letter(before_that_.text.front());
  const std::string_view left = before_that_.text;
  if (turned && alert_ && (left == "alert" || is_alert_word(left))) {
    mistake_ = {.where = before_.span,
                .message = fmt::format("no : follows {}", left),
                .help = fmt::format("leave it out: {} {} …", left, token.text),
                .may_be_metric = true};
    return true;
  }
  if (turned) {
    mistake_ = {.where = token.span,
                .message = "the metric stands before its host",
                .help = fmt::format("write {} :{}", token.text, before_that_.text),
                .may_be_metric = true};
    return true;
  }
  const bool metric = before_that_.kind == RoughToken::Kind::word && count_ > 2;
  if (!is(before_, ":") || !metric || token.kind != RoughToken::Kind::word) return false;
  if (!is_digit(token.text.front()) || is_number(before_that_.text)) return false;
  mistake_ = {.where = token.span,
              .message = "a host that begins with a digit needs single quotes",
              .help = fmt::format("write {} :'{}'", before_that_.text,
                                  written_word(text_.substr(token.span.begin)))};
  return true;
}

// @-1, @last, @(1), @0:3
bool StatementLook::no_samples(const RoughToken& token) {
  const bool number = before_.kind == RoughToken::Kind::word && is_number(before_.text);
  const bool range = is(before_that_, "@") && number && is(token, ":");
  const bool sign = token.kind == RoughToken::Kind::sign && token.text != "$";
  const bool word = token.kind == RoughToken::Kind::word && is_letter(token.text.front());
  if (!range && (!is(before_, "@") || (!sign && !word))) return false;
  mistake_ = {.where = token.span,
              .message = range            ? "a range of samples has .. between its ends"
                         : is(token, "-") ? "samples have no sign"
                                          : "a number of samples follows @",
              .help = std::string(kSamples)};
  const std::string_view behind = rest_of_line(token);
  const size_t digits = std::min(behind.find_first_not_of("0123456789"), behind.size());
  if (range && digits > 0) {
    mistake_->help = fmt::format("write @{}..{}", before_.text, behind.substr(0, digits));
  }
  return true;
}

// avg_sample (load) @0..4, load > 5 @0..4
bool StatementLook::samples_apart(const RoughToken& token) {
  const bool number = before_.kind == RoughToken::Kind::word && is_number(before_.text);
  if (!is(token, "@") || count_ < 3 || (!is(before_, ")") && !number)) return false;
  std::string_view samples = written_word(text_.substr(token.span.begin));
  const auto end = token.span.begin + static_cast<uint32_t>(samples.size());
  if (samples.find_first_not_of("@0123456789.") != samples.npos) samples = "@0..4";  // @5min
  mistake_ = {.where = {token.span.begin, end},
              .message = fmt::format("samples stand behind a metric, not behind a {}",
                                     number ? "number" : ")"),
              .help = fmt::format("for instance: kernel.all.load {} > 5", samples)};
  if (number) return true;
  const std::string_view within =
      without_blanks(text_.substr(closed_ + 1, before_.span.begin - closed_ - 1));
  const bool metric = std::ranges::all_of(
      within, [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '_'; });
  mistake_->help = metric ? fmt::format("write {} {}", within, samples)
                          : fmt::format("write {} behind each metric in the ( )", samples);
  return true;
}

// load @5min, load @5 min
bool StatementLook::samples_in_time(const RoughToken& token) {
  const bool apart = is(before_that_, "@") && is_number(before_.text);
  if (token.kind != RoughToken::Kind::word || (!apart && !is(before_, "@"))) return false;
  const size_t digits =
      apart ? 0 : std::min(token.text.find_first_not_of("0123456789"), token.text.size());
  const std::string_view number = apart ? before_.text : token.text.substr(0, digits);
  const std::string one = "1" + std::string(token.text.substr(digits));
  const auto seconds = seconds_meant(one);
  if (number.empty() || !seconds) return false;
  const Span sign = apart ? before_that_.span : before_.span;
  mistake_ = {.where = {sign.begin, token.span.end},
              .message = "@ takes a number of samples, not a time",
              .help = fmt::format("a sample is one delta: write delta = {} sec; above it, and @{}",
                                  *seconds, number)};
  return true;
}

}  // namespace pmjit::pmie
