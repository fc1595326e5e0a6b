// Name space files, pre-processed with files and commands that are the input's own: what is wrong
// has a message and no names.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/limits.h"
#include "runtime/base/result.h"
#include "runtime/pmns/name_space_file.h"

namespace pmjit {
namespace {

// Texts divided by zero bytes: the file "f0", "f1" that it may include, …; a command is answered
// by the text of its length.
class TextsAround final : public Surroundings {
 public:
  explicit TextsAround(std::string_view input) {
    for (;;) {
      const size_t end = input.find('\0');
      texts_.emplace_back(input.substr(0, end));
      if (end == std::string_view::npos) return;
      input.remove_prefix(end + 1);
    }
  }

  std::optional<std::string> file(const std::string& path) override {
    if (path.size() != 2 || path[0] != 'f' || path[1] < '0') return std::nullopt;
    const auto number = static_cast<size_t>(path[1] - '0');
    if (number >= texts_.size() || opened_++ >= kOpenedMax) return std::nullopt;
    return texts_[number];
  }
  CommandOutput shell(const std::string& command) override {
    if (opened_++ >= kOpenedMax) return {};
    return {texts_[command.size() % texts_.size()], static_cast<int>(command.size() % 3)};
  }

 private:
  // Files that include each other multiply, up to the limit of what they make: of megabytes.
  static constexpr size_t kOpenedMax = 200;

  std::vector<std::string> texts_;
  size_t opened_ = 0;
};

void check_read(const NameSpaceFile& file, const Preprocessed& made) {
  check((file.code == 0) == file.messages.empty(), "a code has its message, a success none");
  check(file.code == 0 || file.leaves.empty(), "what failed has no names");
  check(made.sound || file.code != 0, "what cannot be pre-processed is no name space");
  for (const NamedMetric& leaf : file.leaves) {
    check(!leaf.name.empty() && leaf.name.front() != '.' && leaf.name.back() != '.',
          "a name has its parts");
  }
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  TextsAround texts(std::string_view(reinterpret_cast<const char*>(bytes), size));
  const Preprocessed made = preprocess("f0", texts);
  check(made.sound || !made.messages.empty(), "an error has its message");
  check(made.text.size() <= 3 * limits::kSourceBytesMax, "text has a limit");
  for (const SameMetric same : {SameMetric::allowed, SameMetric::refused}) {
    check_read(parse_name_space(made, "f0", same), made);
  }
  return 0;
}
