// pmjit explain EXPR: what each stage of the compiler made of an expression.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>

#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/verbs.h"
#include "rules/reports/report_list.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

struct ExplainOptions {
  CommonOptions common;
  std::vector<std::string> expressions, hosts;
  std::string dumps = "types,ir-opt,plan,kernels";
};

struct Stage {
  const char* name;
  std::string Dumps::* text;
};
constexpr Stage kStages[] = {
    {"ast", &Dumps::ast},       {"types", &Dumps::types}, {"ir", &Dumps::ir},
    {"ir-opt", &Dumps::ir_opt}, {"plan", &Dumps::plan},   {"kernels", &Dumps::kernels},
    {"llvm", &Dumps::llvm},
};

const Stage* stage_named(const std::string& name) {
  for (const Stage& stage : kStages) {
    if (name == stage.name) return &stage;
  }
  return nullptr;
}

Result<std::vector<const Stage*>> stages_of(const std::string& list) {
  std::vector<const Stage*> out;
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');) {
    if (name == "all") {
      for (const Stage& stage : kStages) out.push_back(&stage);
    } else if (const Stage* stage = stage_named(name)) {
      out.push_back(stage);
    } else {
      std::vector<std::string> names = {"all"};
      for (const Stage& stage : kStages) names.emplace_back(stage.name);
      const std::string near = near_names_text(near_names(name, names));
      return fail(
          Error(Fault::usage, fmt::format("--dump {}: no stage {}", list, name))
              .help(near.empty() ? "ast, types, ir, ir-opt, plan, kernels, llvm or all" : near));
    }
  }
  return out;
}

// What the expressions are compiled against, and how: as eval would.
struct ExplainedOver {
  std::unique_ptr<ArchivesSource> archive{};
  std::unique_ptr<LiveHosts> live{};
  CompileOptions how{};
  [[nodiscard]] const Catalog& catalog() const {
    return live ? live->feeds().catalog() : archive->catalog();
  }
};

Result<ExplainedOver> explained_over(const ExplainOptions& options, const Clock& clock) {
  ExplainedOver out;
  if (options.hosts.empty()) {
    if (options.common.archives.empty()) {
      return fail(Error(Fault::usage, missing_source(options.expressions, true))
                      .help("codes of messages look like D02; why a rule fired is explained by: "
                            "pmjit explain why RULE FILE -a ARCHIVE"));
    }
    auto source = open_source(options.common, extra_units_of(options.common.dialect));
    if (!source) return fail(source.error());
    out.archive = *std::move(source);
    out.how = compile_options(options.common, *out.archive);
    return out;
  }
  if (options.hosts.size() > 1) {
    return fail(Error(Fault::usage, "explain shows an expression over one host, and -h names " +
                                        std::to_string(options.hosts.size()))
                    .help("name one with -h"));
  }
  catch_interrupts();
  auto live = LiveHosts::open(options.hosts, clock);
  if (!live) return fail(live.error());
  out.live = *std::move(live);
  out.how = compile_options(options.common);
  out.how.on_grid = true;
  out.how.reasons = true;
  out.how.kernels_may_follow = true;
  return out;
}

// explain wy RULE FILE: a file of rules is no expression.
std::string subject_meant(const std::vector<std::string>& words) {
  const auto is_file = [](const std::string& word) {
    std::error_code unknown;
    return word.ends_with(".pmie") && std::filesystem::is_regular_file(word, unknown);
  };
  const auto file = std::ranges::find_if(words, is_file);
  if (file == words.end()) return {};
  const auto near = near_names(words.front(), {"why", "rules"});
  return fmt::format("{} is a file of rules, not an expression\n  help: {}", *file,
                     near.empty() ? fmt::format("pmjit explain why RULE {} -a ARCHIVE", *file)
                                  : near_names_text({"explain " + near.front()}));
}

// error[D02], as a message begins: the code alone.
std::string code_of_message(const std::string& word) {
  const size_t open = word.find('['), close = word.find(']');
  const std::string level = word.substr(0, open);
  const bool is_message = close != word.npos &&
                          (word.size() == close + 1 || word.ends_with("]:")) &&
                          (level == "error" || level == "warning" || level == "difference");
  return is_message ? word.substr(open + 1, close - open - 1) : word;
}

// D02,D03 and "D02 D03" name two codes.
std::vector<std::string> codes_in(const std::vector<std::string>& words) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> out;
  for (const std::string& word : words) {
    for (size_t at = word.find_first_not_of(kBetween); at < word.size();) {
      const size_t end = std::min(word.find_first_of(kBetween, at), word.size());
      out.push_back(code_of_message(word.substr(at, end - at)));
      at = word.find_first_not_of(kBetween, end);
    }
  }
  return out;
}

// What is explained without data: codes, in every way to name them. None: it is something else.
std::optional<int> explain_without_data(const std::vector<std::string>& words) {
  const std::vector<std::string> codes = codes_in(words);
  if (are_codes(codes)) return explain_codes(codes);
  const std::string first = words.empty() ? "" : words.front();
  const std::vector<std::string> rest(codes.begin() + (codes.empty() ? 0 : 1), codes.end());
  if (first == "code" && are_codes(rest)) return explain_codes(rest);  // explain code D02
  if (words.size() == 1 && std::ranges::count(listed_reports(), first, &ListedReport::name) != 0) {
    complain(fmt::format("{0} is a report; did you mean explain reports {0}?", first));
    return kExitErrors;
  }
  if (first != "report" && first != "code" && first != "rule") return std::nullopt;
  complain(fmt::format("no subject \"{}\"; did you mean explain {}s{}{}?", first, first,
                       rest.empty() ? "" : " ", fmt::join(rest, " ")));
  return kExitErrors;
}

int explain(const ExplainOptions& options, const Clock& clock) {
  const bool over_nothing = options.common.archives.empty() && options.hosts.empty();
  if (over_nothing) {
    if (const auto status = explain_without_data(options.expressions)) return *status;
    if (options.expressions.empty() && options.common.definition_files.empty()) {
      complain(
          "nothing is given to explain\n  help: pmjit explain D02 explains a code, pmjit explain "
          "why "
          "RULE FILE -a ARCHIVE a rule, pmjit explain -a ARCHIVE EXPR an expression");
      return kExitErrors;
    }
  }
  const auto stages = stages_of(options.dumps);
  if (!stages) return complain(stages.error().text()), kExitErrors;
  if (const std::string meant = subject_meant(options.expressions); !meant.empty()) {
    return complain(meant), kExitErrors;
  }
  for (const std::string& text : options.expressions) {
    if (const auto other = other_file_error(text)) return complain(other->text()), kExitErrors;
  }
  auto input = compile_input(options.common, options.expressions);
  if (!input) return complain(input.error().text()), kExitErrors;
  auto over = explained_over(options, clock);
  if (interrupted() != 0) return stop_before_start();
  if (!over) return complain(over.error().text()), kExitErrors;
  CompileOptions& how = over->how;
  how.dumps = true;
  for (const Stage* stage : *stages) how.keep_llvm_ir |= stage->text == &Dumps::llvm;
  const Compilation made = compile(*input, over->catalog(), how);
  const bool ok = report(made);
  for (const Stage* stage : *stages) {
    const std::string& text = made.dumps.*(stage->text);
    if (text.empty() && !ok) continue;
    fmt::print("--- {}\n{}", stage->name, text);
  }
  if (!ok) return kExitErrors;
  fmt::print("--- evaluator\n{}\n", made.evaluator);
  const int status = explain_definitions(made, over->archive.get(), clock);
  if (made.adapting && status == kExitOk) fmt::print("eval chooses again while it runs\n");
  return status;
}

}  // namespace

Command explain_command(const Clock& clock) {
  auto options = std::make_shared<ExplainOptions>();
  return {
      .name = "explain",
      .what = "why a rule fired or not, and how an expression is evaluated",
      .options =
          joined({{.names = "EXPR",
                   .target = &options->expressions,
                   .what = "metrics, definitions, expressions, or a message code"},
                  archive_option(options->common),
                  host_option(options->hosts),
                  {.names = "--dump",
                   .target = &options->dumps,
                   .value = "STAGES",
                   .what = "stages to show",
                   .more = "The stages are ast, types, ir, ir-opt, plan, kernels and llvm, with "
                           "commas between them. all means every one."}},
                 compiler_options(options->common)),
      .footer = "The stages of --dump are ast, types, ir, ir-opt, plan, kernels, llvm or all.",
      .run = [options, &clock] { return explain(*options, clock); },
      .below = {explain_why_command(clock), explain_rules_command(clock), explain_codes_command(),
                explain_reports_command()},
      .examples = {"pmjit explain why busy busy.pmie -a web1",
                   "pmjit explain -a web1 'sum(rate(disk.dev.read)) > 100'",
                   "pmjit explain --dump=ir,plan -a web1 'rate(disk.dev.read)'",
                   "pmjit explain -h localhost 'rate(disk.all.read)'"},
      .group = "Work with rules and definitions",
      .also = {"dump", "describe"},
  };
}

}  // namespace pmjit
