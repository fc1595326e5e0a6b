#include "compiler/compat/pmie/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace pmjit::pmie {

namespace {

constexpr Sign kSigns[] = {
    {"->", RuleToken::ARROW, PmieOp::rule},
    {"==", RuleToken::RELATION, PmieOp::equal},
    {"!=", RuleToken::RELATION, PmieOp::unequal},
    {"<=", RuleToken::RELATION, PmieOp::less_equal},
    {">=", RuleToken::RELATION, PmieOp::greater_equal},
    {"<", RuleToken::RELATION, PmieOp::less},
    {">", RuleToken::RELATION, PmieOp::greater},
    {"&&", RuleToken::BOTH, PmieOp::both},
    {"||", RuleToken::EITHER, PmieOp::either},
    {"&", RuleToken::IN_TURN, PmieOp::in_turn},
    {"|", RuleToken::UNTIL_TRUE, PmieOp::until_true},
    {"!", RuleToken::NOT, PmieOp::negation},
    {"+", RuleToken::PLUS, PmieOp::add},
    {"-", RuleToken::MINUS, PmieOp::subtract},
    {"*", RuleToken::TIMES, PmieOp::multiply},
    {"(", RuleToken::OPEN, PmieOp::constant},
    {")", RuleToken::CLOSE, PmieOp::constant},
    {"=", RuleToken::BECOMES, PmieOp::constant},
    {":", RuleToken::COLON, PmieOp::constant},
    {"#", RuleToken::HASH, PmieOp::constant},
    {"@", RuleToken::AT, PmieOp::constant},
    {"..", RuleToken::RANGE, PmieOp::constant},
    {"^", RuleToken::CARET, PmieOp::constant},
};

using UnitKind = UnitWord::Kind;
constexpr UnitWord kUnits[] = {
    {"byte", UnitKind::space, 0},       {"Kbyte", UnitKind::space, 1},
    {"Mbyte", UnitKind::space, 2},      {"Gbyte", UnitKind::space, 3},
    {"Tbyte", UnitKind::space, 4},      {"nsec", UnitKind::time, 0},
    {"nanosec", UnitKind::time, 0},     {"nanosecond", UnitKind::time, 0},
    {"usec", UnitKind::time, 1},        {"microsec", UnitKind::time, 1},
    {"microsecond", UnitKind::time, 1}, {"msec", UnitKind::time, 2},
    {"millisec", UnitKind::time, 2},    {"millisecond", UnitKind::time, 2},
    {"sec", UnitKind::time, 3},         {"second", UnitKind::time, 3},
    {"min", UnitKind::time, 4},         {"minute", UnitKind::time, 4},
    {"hour", UnitKind::time, 5},        {"count", UnitKind::count, 0},
    {"Kcount", UnitKind::count, 3},     {"Mcount", UnitKind::count, 6},
};

constexpr Sign kWords[] = {
    {"true", RuleToken::TRUTH, PmieOp::constant},
    {"false", RuleToken::TRUTH, PmieOp::constant},
    {"rate", RuleToken::RATE, PmieOp::rate},
    {"instant", RuleToken::INSTANT, PmieOp::instant},
    {"shell", RuleToken::VERB, PmieOp::shell},
    {"alarm", RuleToken::VERB, PmieOp::alarm},
    {"syslog", RuleToken::VERB, PmieOp::syslog},
    {"print", RuleToken::VERB, PmieOp::print},
    {"stomp", RuleToken::VERB, PmieOp::stomp},
    {"rising", RuleToken::RISING, PmieOp::rising},
    {"falling", RuleToken::FALLING, PmieOp::falling},
    {"match_inst", RuleToken::MATCH, PmieOp::match_inst},
    {"nomatch_inst", RuleToken::MATCH, PmieOp::nomatch_inst},
    {"ruleset", RuleToken::RULESET, PmieOp::ruleset},
    {"else", RuleToken::ELSE, PmieOp::alternatives},
    {"unknown", RuleToken::UNKNOWN, PmieOp::unknown_clause},
    {"otherwise", RuleToken::OTHERWISE, PmieOp::otherwise_clause},
};

// In front of `_host`, `_inst`, `_sample`.
constexpr Sign kOverDimension[] = {
    {"sum", RuleToken::AGGREGATE, PmieOp::sum},    {"avg", RuleToken::AGGREGATE, PmieOp::avg},
    {"max", RuleToken::AGGREGATE, PmieOp::max},    {"min", RuleToken::AGGREGATE, PmieOp::min},
    {"count", RuleToken::COUNT, PmieOp::count},    {"all", RuleToken::QUANTIFIER, PmieOp::all},
    {"some", RuleToken::QUANTIFIER, PmieOp::some}, {"%", RuleToken::PERCENT, PmieOp::percent},
};

template <size_t n>
const Sign* find(const Sign (&table)[n], std::string_view text) {
  const auto* found = std::ranges::find(table, text, &Sign::text);
  return found == std::end(table) ? nullptr : found;
}

Dim find_dim(std::string_view word) {
  return word == "host"     ? Dim::host
         : word == "inst"   ? Dim::inst
         : word == "sample" ? Dim::sample
                            : Dim::none;
}

bool is_judge(RuleToken token) {
  return token == RuleToken::NOT || token == RuleToken::RISING || token == RuleToken::FALLING ||
         token == RuleToken::QUANTIFIER || token == RuleToken::PERCENT || token == RuleToken::MATCH;
}

bool takes_number(RuleToken token) {
  return token == RuleToken::AT || token == RuleToken::RANGE || token == RuleToken::CARET ||
         token == RuleToken::VERB;
}

// For every `(` and every word `true`: does it begin a truth, counting within it only what does
// not belong to a `count_`? Innermost first, so one pass from the end would not do: a stack.
class Truths {
 public:
  explicit Truths(const std::vector<ScannedToken>& tokens)
      : begins_(tokens.size(), false), counted_(tokens.size(), false) {
    for (size_t i = 0; i < tokens.size(); ++i) see(tokens[i], i);
  }
  [[nodiscard]] bool begins(size_t token) const { return begins_[token]; }
  // Does this relation make what a `count_` counts?
  [[nodiscard]] bool counted(size_t token) const { return counted_[token]; }

 private:
  struct Group {
    size_t open;
    int counted = 0;  // `count_` whose truth is still to come
    bool is_truth = false;
    bool of_count = false;  // directly before: a `count_`, or judges of one
  };

  void see(const ScannedToken& token, size_t at) {
    Group& group = groups_.back();
    const bool of_count = std::exchange(group.of_count, false);
    switch (token.kind) {
      case RuleToken::OPEN: groups_.push_back({at}); return;
      case RuleToken::CLOSE: close(); return;
      case RuleToken::COUNT:
        ++group.counted;
        group.of_count = true;
        return;
      case RuleToken::TRUTH:
        begins_[at] = true;
        found(group);
        return;
      case RuleToken::RELATION:
        counted_[at] = group.counted > 0;
        found(group);
        return;
      case RuleToken::BOTH:
      case RuleToken::EITHER: group.is_truth = true; return;
      case RuleToken::TEXT: group.of_count = of_count; return;    // the pattern of match_inst
      case RuleToken::NUMBER: group.of_count = of_count; return;  // of `%_`
      default:
        if (!is_judge(token.kind)) return;
        group.of_count = of_count;
        if (!of_count && group.counted == 0) group.is_truth = true;
    }
  }

  void close() {
    if (groups_.size() == 1) return;
    const Group inner = groups_.back();
    groups_.pop_back();
    begins_[inner.open] = inner.is_truth;
    if (inner.is_truth) found(groups_.back());
  }

  static void found(Group& group) {
    if (group.counted > 0)
      --group.counted;
    else
      group.is_truth = true;
  }

  std::vector<bool> begins_, counted_;
  std::vector<Group> groups_{{0}};
};

}  // namespace

const Sign* find_sign(std::string_view text) { return find(kSigns, text); }

bool begins_long_sign(char c) {
  return std::ranges::any_of(
      kSigns, [c](const Sign& sign) { return sign.text.size() == 2 && sign.text.front() == c; });
}

const UnitWord* find_unit(std::string_view word) {
  if (word.ends_with('s')) word.remove_suffix(1);
  const auto* found = std::ranges::find(kUnits, word, &UnitWord::text);
  return found == std::end(kUnits) ? nullptr : found;
}

std::vector<std::string> unit_words() {
  std::vector<std::string> out;
  for (const UnitWord& unit : kUnits) out.emplace_back(unit.text);
  return out;
}

void classify_word(std::string_view word, ScannedToken& token) {
  if (find_unit(word) != nullptr) {
    token.kind = RuleToken::UNIT;
    return;
  }
  if (const Sign* reserved = find(kWords, word)) {
    token.kind = reserved->token;
    token.op = reserved->op;
    token.number = word == "true" ? 1 : 0;
    return;
  }
  const size_t underscore = word.rfind('_');
  if (underscore == word.npos) return;
  const Dim dim = find_dim(word.substr(underscore + 1));
  const Sign* over = find(kOverDimension, word.substr(0, underscore));
  if (dim == Dim::none || over == nullptr) return;
  token.kind = over->token;
  token.op = over->op;
  token.dim = dim;
}

void classify_in_context(std::vector<ScannedToken>& tokens) {
  if (tokens.size() >= 2 && tokens[0].kind == RuleToken::NAME &&
      tokens[1].kind == RuleToken::BECOMES)
    tokens[0].kind = RuleToken::TARGET;
  const Truths truths(tokens);
  bool of_count = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    RuleToken& kind = tokens[i].kind;
    const bool last = i + 1 == tokens.size();
    if (kind == RuleToken::NUMBER && !last && tokens[i + 1].kind == RuleToken::PERCENT &&
        (i == 0 || !takes_number(tokens[i - 1].kind)))
      kind = RuleToken::SHARE;
    else if (kind == RuleToken::OPEN && of_count && truths.begins(i))
      kind = RuleToken::COUNTED_OPEN;
    else if (kind == RuleToken::TRUTH && of_count)
      kind = RuleToken::COUNTED_TRUTH;
    else if (kind == RuleToken::RELATION && truths.counted(i))
      kind = RuleToken::COUNTED_RELATION;
    else if (kind == RuleToken::TEXT && i > 0 && tokens[i - 1].kind == RuleToken::COUNTED_RELATION)
      kind = RuleToken::COUNTED_TEXT;
    const bool part_of_judge =
        kind == RuleToken::SHARE || is_judge(kind) ||
        (kind == RuleToken::TEXT && i > 0 && tokens[i - 1].kind == RuleToken::MATCH);
    of_count = kind == RuleToken::COUNT || (of_count && part_of_judge);
  }
}

double canonical_factor(const Units& units) {
  const double time_base = units.scale_time > kTimeScaleSec ? 60.0 : 1000.0;
  double factor = 1;
  if (units.dim_space != 0) factor *= std::pow(1024.0, units.dim_space * units.scale_space);
  if (units.dim_time != 0)
    factor *= std::pow(time_base, units.dim_time * (units.scale_time - kTimeScaleSec));
  if (units.dim_count != 0) factor *= std::pow(10.0, units.dim_count * units.scale_count);
  return factor;
}

void add_unit(Units& units, std::string_view word, int exponent) {
  const UnitWord& unit = *find_unit(word);
  const auto dim = static_cast<int8_t>(exponent);
  switch (unit.kind) {
    case UnitWord::Kind::space:
      units.dim_space = dim;
      units.scale_space = static_cast<uint8_t>(unit.scale);
      break;
    case UnitWord::Kind::time:
      units.dim_time = dim;
      units.scale_time = static_cast<uint8_t>(unit.scale);
      break;
    case UnitWord::Kind::count:
      units.dim_count = dim;
      units.scale_count = unit.scale;
      break;
  }
}

}  // namespace pmjit::pmie
