// One definition file, line by line. Source: spec derived-metrics.md §6.2–§6.4.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/registry/config.h"
#include "compiler/diag/diag.h"

namespace pmjit {

// A line with the places of its parts in the file.
struct ReadLine {
  enum class Kind : uint8_t { comment, definition, attribute, quoted_attribute, refused };
  Kind kind = Kind::refused;
  Span span;  // without the newline, continuations included
  std::string name;
  Span name_span;
  std::string expression;
  std::optional<pcp::SyntaxError> wrong;  // with the expression
  bool repeated = false;                  // there is a metric of that name
  bool in_pattern = false;                // of the scanner, before the expression
  std::vector<Span> ignored;              // beside the attribute and its text
  std::string why_refused;                // of Kind::refused, as libpcp says it

  // Of bytes of the expression.
  [[nodiscard]] Span in_file(Span part) const;

 private:
  friend class ConfigFile;
  size_t line_begin_ = 0, expression_begin_ = 0;  // in the file; in the joined line
  std::vector<size_t> joints_;
};

class ConfigFile {
 public:
  ConfigFile(const std::string& path, std::string_view text, Registry& registry, Controls& controls,
             const ConfigLoader::Sink& say)
      : path_(path), text_(text), registry_(registry), controls_(controls), say_(say) {}

  // The number of metrics defined.
  [[nodiscard]] int read();
  // Before read(): where its lines are kept.
  void keep_lines(std::vector<ReadLine>& lines) { kept_ = &lines; }

 private:
  // A definition or an attribute up to the first =.
  struct Head {
    std::string_view name, attribute;
    bool has_attribute = false;
  };
  struct Value {
    std::string text;
    bool found = false;  // else the mistake has been told
  };

  bool next_line();
  void line();
  void define(std::string_view name, std::string_view expression);
  void keep_line();
  void keep_definition(std::string_view name, std::string_view text);
  void set_attribute(const Head& head, std::string_view value);
  void keep_ignored(Span part);
  void keep_refused(std::string_view what);
  [[nodiscard]] bool read_head(Head& out, size_t equals);
  [[nodiscard]] Value read_value(std::string_view rest);
  [[nodiscard]] Value read_quoted(size_t begin, bool& several_lines);
  // Where in text_ a byte of the line stands; continuations behind it have not been read then.
  size_t back_to(size_t at);
  void complain(std::string_view kind, std::string_view text);
  // "Error: pmLoadDerivedConfig: …", and the line.
  void refuse(std::string_view what);
  void refuse_line(std::string_view what);

  std::string path_;
  std::string_view text_;
  Registry& registry_;
  Controls& controls_;
  const ConfigLoader::Sink& say_;
  size_t at_ = 0;               // behind the present line
  size_t line_begin_ = 0;       // of it, in text_
  int line_number_ = 0;         // of the next one less 1
  int extra_lines_ = 0;         // that a continuation has taken in
  std::string joined_;          // a line with its continuations
  std::vector<size_t> joints_;  // where they begin in it; before each a \ and a newline are gone
  std::string_view line_;
  int defined_ = 0;
  std::vector<ReadLine>* kept_ = nullptr;
};

}  // namespace pmjit
