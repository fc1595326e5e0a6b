#include "compiler/compat/pmie/words.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace pmjit::pmie {
namespace {

constexpr Sign kSigns[] = {
    {"->", Token::ARROW, Op::rule},
    {"==", Token::RELATION, Op::equal},
    {"!=", Token::RELATION, Op::unequal},
    {"<=", Token::RELATION, Op::less_equal},
    {">=", Token::RELATION, Op::greater_equal},
    {"<", Token::RELATION, Op::less},
    {">", Token::RELATION, Op::greater},
    {"&&", Token::BOTH, Op::both},
    {"||", Token::EITHER, Op::either},
    {"&", Token::IN_TURN, Op::in_turn},
    {"|", Token::UNTIL_TRUE, Op::until_true},
    {"!", Token::NOT, Op::negation},
    {"+", Token::PLUS, Op::add},
    {"-", Token::MINUS, Op::subtract},
    {"*", Token::TIMES, Op::multiply},
    {"(", Token::OPEN, Op::constant},
    {")", Token::CLOSE, Op::constant},
    {"=", Token::BECOMES, Op::constant},
    {":", Token::COLON, Op::constant},
    {"#", Token::HASH, Op::constant},
    {"@", Token::AT, Op::constant},
    {"..", Token::RANGE, Op::constant},
    {"^", Token::CARET, Op::constant},
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
    {"true", Token::TRUTH, Op::constant},
    {"false", Token::TRUTH, Op::constant},
    {"rate", Token::RATE, Op::rate},
    {"instant", Token::INSTANT, Op::instant},
    {"shell", Token::VERB, Op::shell},
    {"alarm", Token::VERB, Op::alarm},
    {"syslog", Token::VERB, Op::syslog},
    {"print", Token::VERB, Op::print},
    {"stomp", Token::VERB, Op::stomp},
    {"rising", Token::RISING, Op::rising},
    {"falling", Token::FALLING, Op::falling},
    {"match_inst", Token::MATCH, Op::match_inst},
    {"nomatch_inst", Token::MATCH, Op::nomatch_inst},
    {"ruleset", Token::RULESET, Op::ruleset},
    {"else", Token::ELSE, Op::alternatives},
    {"unknown", Token::UNKNOWN, Op::unknown_clause},
    {"otherwise", Token::OTHERWISE, Op::otherwise_clause},
};

// In front of `_host`, `_inst`, `_sample`.
constexpr Sign kOverDimension[] = {
    {"sum", Token::AGGREGATE, Op::sum},    {"avg", Token::AGGREGATE, Op::avg},
    {"max", Token::AGGREGATE, Op::max},    {"min", Token::AGGREGATE, Op::min},
    {"count", Token::COUNT, Op::count},    {"all", Token::QUANTIFIER, Op::all},
    {"some", Token::QUANTIFIER, Op::some}, {"%", Token::PERCENT, Op::percent},
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

bool is_judge(Token token) {
  return token == Token::NOT || token == Token::RISING || token == Token::FALLING ||
         token == Token::QUANTIFIER || token == Token::PERCENT || token == Token::MATCH;
}

bool takes_number(Token token) {
  return token == Token::AT || token == Token::RANGE || token == Token::CARET ||
         token == Token::VERB;
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
      case Token::OPEN: groups_.push_back({at}); return;
      case Token::CLOSE: close(); return;
      case Token::COUNT:
        ++group.counted;
        group.of_count = true;
        return;
      case Token::TRUTH:
        begins_[at] = true;
        found(group);
        return;
      case Token::RELATION:
        counted_[at] = group.counted > 0;
        found(group);
        return;
      case Token::BOTH:
      case Token::EITHER: group.is_truth = true; return;
      case Token::TEXT: group.of_count = of_count; return;    // the pattern of match_inst
      case Token::NUMBER: group.of_count = of_count; return;  // of `%_`
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

void classify_word(std::string_view word, ScannedToken& token) {
  if (find_unit(word) != nullptr) {
    token.kind = Token::UNIT;
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
  if (tokens.size() >= 2 && tokens[0].kind == Token::NAME && tokens[1].kind == Token::BECOMES)
    tokens[0].kind = Token::TARGET;
  const Truths truths(tokens);
  bool of_count = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    Token& kind = tokens[i].kind;
    const bool last = i + 1 == tokens.size();
    if (kind == Token::NUMBER && !last && tokens[i + 1].kind == Token::PERCENT &&
        (i == 0 || !takes_number(tokens[i - 1].kind)))
      kind = Token::SHARE;
    else if (kind == Token::OPEN && of_count && truths.begins(i))
      kind = Token::COUNTED_OPEN;
    else if (kind == Token::TRUTH && of_count)
      kind = Token::COUNTED_TRUTH;
    else if (kind == Token::RELATION && truths.counted(i))
      kind = Token::COUNTED_RELATION;
    else if (kind == Token::TEXT && i > 0 && tokens[i - 1].kind == Token::COUNTED_RELATION)
      kind = Token::COUNTED_TEXT;
    const bool part_of_judge = kind == Token::SHARE || is_judge(kind) ||
                               (kind == Token::TEXT && i > 0 && tokens[i - 1].kind == Token::MATCH);
    of_count = kind == Token::COUNT || (of_count && part_of_judge);
  }
}

}  // namespace pmjit::pmie
