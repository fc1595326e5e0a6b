// pmgetopt_r: options one by one, in any order, as GNU getopt takes them. What is no option moves
// behind them, once it is passed, unless the order is asked for. Source: spec pmapi.md §20.2.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "runtime/pmapi/messages.h"
#include "runtime/pmapi/options.h"

using namespace pmjit;

namespace {

enum Ordering { kUnset = 0, kPermute = 1, kInOrder = 2, kOperandsEnd = 3 };
constexpr int kMistake = '?';
constexpr int kOperand = 1;  // where short_options begin with '-': it is taken in its place

class OptionScanner {
 public:
  OptionScanner(int argc, char* const* argv, pmOptions& opts)
      // GNU's has the same licence to move words, whatever its type says.
      : words_(const_cast<char**>(argv), static_cast<size_t>(std::max(argc, 0))), opts_(opts) {}

  int next() {
    begin();
    if (opts_.__nextchar == nullptr || *opts_.__nextchar == '\0') {
      if (!find_word()) return EOF;
      char* const word = words_[index()];
      if (!is_option(opts_.optind)) {
        if (opts_.__ordering == kOperandsEnd) return EOF;
        opts_.optarg = word;
        ++opts_.optind;
        return kOperand;
      }
      if (word[1] == '-') return long_option(word + 2, "--");
      opts_.__nextchar = word + 1;
    }
    if (may_be_long()) {
      const bool letter_too = is_letter(*opts_.__nextchar);
      if (!letter_too || !candidates(name_in(opts_.__nextchar)).empty()) {
        return long_option(opts_.__nextchar, "-");
      }
    }
    return letter();
  }

 private:
  [[nodiscard]] size_t index() const { return static_cast<size_t>(opts_.optind); }
  [[nodiscard]] int count() const { return static_cast<int>(words_.size()); }
  [[nodiscard]] bool is_option(int at) const {
    const char* word = words_[static_cast<size_t>(at)];
    return word != nullptr && word[0] == '-' && word[1] != '\0';
  }
  [[nodiscard]] const char* letters() const {
    const char* letters = opts_.short_options == nullptr ? PMAPI_OPTIONS : opts_.short_options;
    return *letters == '+' || *letters == '-' ? letters + 1 : letters;
  }

  [[nodiscard]] bool is_letter(char found) const {
    return found != ':' && std::strchr(letters(), found) != nullptr;
  }
  // With PM_OPTFLAG_LONG_ONLY a name may stand behind one hyphen: -archive. A letter alone is one
  // where there is such an option.
  [[nodiscard]] bool may_be_long() const {
    if ((opts_.flags & PM_OPTFLAG_LONG_ONLY) == 0 || opts_.long_options == nullptr) return false;
    const char* word = words_[index()];
    return word[2] != '\0' || !is_letter(word[1]);
  }
  // In front of =.
  static std::string_view name_in(const char* text) {
    return std::string_view(text).substr(0, std::strcspn(text, "="));
  }

  void begin() {
    opts_.optarg = nullptr;
    if (opts_.__initialized != 0 && opts_.optind != 0) return;
    opts_.__initialized = 1;
    if (!words_.empty() && words_[0] != nullptr) pmSetProgname(words_[0]);
    if (opts_.optind == 0) opts_.optind = 1;
    opts_.__first_nonopt = opts_.__last_nonopt = opts_.optind;
    opts_.__nextchar = nullptr;
    const char first = opts_.short_options == nullptr ? '\0' : *opts_.short_options;
    opts_.__posixly_correct =
        (opts_.flags & PM_OPTFLAG_POSIX) != 0 || std::getenv("POSIXLY_CORRECT") != nullptr;
    opts_.__ordering = first == '-'                                   ? kInOrder
                       : first == '+' || opts_.__posixly_correct != 0 ? kOperandsEnd
                                                                      : kPermute;
  }

  // The options that were passed go in front of the operands that were.
  void exchange() {
    auto* const words = words_.data();
    std::rotate(words + opts_.__first_nonopt, words + opts_.__last_nonopt, words + opts_.optind);
    opts_.__first_nonopt += opts_.optind - opts_.__last_nonopt;
    opts_.__last_nonopt = opts_.optind;
  }
  void settle() {
    if (opts_.__first_nonopt != opts_.__last_nonopt && opts_.__last_nonopt != opts_.optind) {
      exchange();
    } else if (opts_.__last_nonopt != opts_.optind) {
      opts_.__first_nonopt = opts_.optind;
    }
  }

  // False: there are no more words to take.
  bool find_word() {
    opts_.optind = std::min(opts_.optind, count());
    opts_.__last_nonopt = std::min(opts_.__last_nonopt, opts_.optind);
    opts_.__first_nonopt = std::min(opts_.__first_nonopt, opts_.__last_nonopt);
    if (opts_.__ordering == kPermute) {
      settle();
      while (opts_.optind < count() && !is_option(opts_.optind)) ++opts_.optind;
      opts_.__last_nonopt = opts_.optind;
    }
    if (opts_.optind < count() && words_[index()] != nullptr &&
        std::strcmp(words_[index()], "--") == 0) {
      ++opts_.optind;
      settle();
      if (opts_.__first_nonopt == opts_.__last_nonopt) opts_.__first_nonopt = opts_.optind;
      opts_.__last_nonopt = opts_.optind = count();
    }
    if (opts_.optind >= count()) {
      if (opts_.__first_nonopt != opts_.__last_nonopt) opts_.optind = opts_.__first_nonopt;
      return false;
    }
    return words_[index()] != nullptr;
  }

  // A program that asks for messages (opterr) has them although it is quiet as well.
  int refuse(const std::string& why) {
    const bool quiet = (opts_.flags & PM_OPTFLAG_QUIET) != 0 && opts_.opterr == 0;
    if (!quiet && *letters() != ':') {
      add_message(fmt::format("{}: {}\n", program_name(), why));
    }
    return kMistake;
  }

  // With a colon in front of the letters the program tells this mistake from others.
  int refuse_without_argument(const std::string& why) {
    refuse(why);
    return *letters() == ':' ? ':' : kMistake;
  }

  int letter() {
    const char found = *opts_.__nextchar++;
    const char* known = is_letter(found) ? std::strchr(letters(), found) : nullptr;
    const bool last = *opts_.__nextchar == '\0';
    if (last) ++opts_.optind;
    if (known == nullptr) {
      opts_.optopt = found;
      return refuse(fmt::format("invalid option -- '{}'", found));
    }
    if (known[1] != ':') return found;
    if (!last) {
      opts_.optarg = opts_.__nextchar;
      ++opts_.optind;
    } else if (known[2] != ':') {
      if (opts_.optind >= count()) {
        opts_.__nextchar = nullptr;
        opts_.optopt = found;
        return refuse_without_argument(fmt::format("option requires an argument -- '{}'", found));
      }
      opts_.optarg = words_[index()];
      ++opts_.optind;
    }
    opts_.__nextchar = nullptr;
    return found;
  }

  // Options of this name, or that begin with it. One that is it in full is meant.
  [[nodiscard]] std::vector<int> candidates(std::string_view name) const {
    std::vector<int> out;
    const pmLongOptions* table = opts_.long_options;
    for (int i = 0; table != nullptr && table[i].long_opt != nullptr; ++i) {
      const std::string_view known = table[i].long_opt;
      if (known.empty() || !known.starts_with(name)) continue;
      if (known == name) return {i};
      out.push_back(i);
    }
    return out;
  }

  // `text` is behind the hyphens of a word, or behind letters that were taken from it.
  int long_option(char* text, std::string_view dashes) {
    const char* const word = words_[index()];
    const std::string_view name = name_in(text);
    char* const equals = text[name.size()] == '=' ? text + name.size() : nullptr;
    const std::vector<int> found = candidates(name);
    opts_.__nextchar = nullptr;
    ++opts_.optind;
    opts_.optopt = 0;
    if (found.empty()) return refuse(fmt::format("unrecognized option '{}{}'", dashes, text));
    if (found.size() > 1) {
      std::string why = fmt::format("option '{}' is ambiguous; possibilities:", word);
      why += fmt::format(" '--{}'", opts_.long_options[found[0]].long_opt);
      for (size_t i = found.size(); --i > 0;) {
        why += fmt::format(" '--{}'", opts_.long_options[found[i]].long_opt);
      }
      return refuse(why);
    }
    const pmLongOptions& option = opts_.long_options[found[0]];
    if (equals != nullptr) {
      if (option.has_arg == 0) {
        opts_.optopt = option.short_opt;
        return refuse(
            fmt::format("option '{}{}' doesn't allow an argument", dashes, option.long_opt));
      }
      opts_.optarg = equals + 1;
    } else if (option.has_arg == 1) {
      if (opts_.optind >= count()) {
        opts_.optopt = option.short_opt;
        return refuse_without_argument(
            fmt::format("option '--{}' requires an argument", option.long_opt));
      }
      opts_.optarg = words_[index()];
      ++opts_.optind;
    }
    opts_.index = found[0];
    return option.short_opt;
  }

  std::span<char*> words_;
  pmOptions& opts_;
};

}  // namespace

int pmgetopt_r(int argc, char* const* argv, pmOptions* opts) {
  if (opts == nullptr || (argv == nullptr && argc > 0)) return EOF;
  return at_c_border_or(EOF, [&] { return OptionScanner(argc, argv, *opts).next(); });
}
