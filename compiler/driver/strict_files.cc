#include "compiler/driver/strict_files.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/diag/line_starts.h"
#include "compiler/driver/all_or_nothing_files.h"
#include "compiler/driver/parsed_texts.h"
#include "compiler/sema/repeated.h"
#include "runtime/base/result.h"
#include "runtime/client/context.h"
#include "runtime/exec/evaluator.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

namespace {

// A context as the compiler and evaluation see it: names and instances as of its last fetch.
class ContextCatalog final : public Catalog {
 public:
  explicit ContextCatalog(Context& recorded) : recorded_(recorded) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override {
    const auto pmid = recorded_.look_up(metric);
    if (!pmid) return fail(Fault::not_found, pm_error_text(pmid.error()));
    const auto desc = recorded_.describe(*pmid);
    if (!desc) return fail(Fault::not_found, pm_error_text(desc.error()));
    return *desc;
  }
  [[nodiscard]] std::vector<std::string> leaves(std::string_view) const override { return {}; }
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp) const override {
    auto name = recorded_.instance_name(indom, instance);
    if (!name) return std::nullopt;
    return *std::move(name);
  }
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override {
    auto out = recorded_.instances_ever(indom).value_or(std::vector<Instance>{});
    std::ranges::sort(out, {}, &Instance::id);
    return out;
  }

 private:
  Context& recorded_;
};

// What a context makes of the files; metrics that are bound keep it.
struct StrictTexts {
  StrictTexts(const CompileInput& input, const CompileOptions& how, Context& recorded)
      : options(how),
        catalog(recorded),
        parsed(parse_texts(input, catalog, options)),
        sema(catalog, parsed.exprs, parsed.compatible, options.equivalent),
        files(parsed, sema) {}

  const CompileOptions& options;
  ContextCatalog catalog;
  ParsedTexts parsed;
  Sema sema;
  WholeFiles files;
};

// Most are described and never evaluated: the program is made for the first fetch.
class BoundMetric final : public StrictMetric {
 public:
  BoundMetric(std::shared_ptr<StrictTexts> texts, uint32_t index)
      : texts_(std::move(texts)), index_(index) {
    const Ir ir = lower_checked(only(), texts_->sema, texts_->options);
    const Type& type = ir.type_of(ir.roots.front());
    desc_ = {.pm_type = pm_type_of(type.elem),
             .indom = type.axes.domain,
             .semantics = type.semantics,
             .units = type.units};
  }

  [[nodiscard]] const Desc& desc() const override { return desc_; }
  [[nodiscard]] std::span<const PmId> operands() override {
    compile();
    return operands_;
  }

  void evaluate(const Fetched& fetched, uint64_t number, FetchedSet& out) override {
    if (std::exchange(fetch_, number) != number) run(fetched);
    out = made_;
  }

 private:
  // The texts with one root, this.
  const ParsedTexts& only() {
    texts_->parsed.roots = {index_};
    return texts_->parsed;
  }

  void compile() {
    if (evaluator_) return;
    Compilation made;
    compile_checked(only(), texts_->sema, texts_->options, made);
    check(made.ok(), "there is always an interpreter");
    program_ = made.program;
    evaluator_.emplace(program_, texts_->catalog, rosters_, EvaluationOptions{});
    for (const ProgramOperand& operand : program_->operands) {
      operands_.push_back(operand.desc.pmid);
    }
    wave_.operands.resize(operands_.size());
    last_roster_ids_.resize(operands_.size(), Rosters::kNobodyId);
  }

  void run(const Fetched& fetched) {
    compile();
    evaluator_->give_back(wave_, results_);
    if (rosters_.crowded()) {
      evaluator_->keep_rosters();
      rosters_.forget_others();
    }
    wave_.groups = {Group{.t = fetched.stamp}};
    for (size_t i = 0; i < operands_.size(); ++i) {
      const auto set = std::ranges::find(fetched.sets, operands_[i], &FetchedSet::pmid);
      Observations& observed = wave_.operands[i];
      observed.column.clear();
      observed.column.elem = *elem_from_pm(program_->operands[i].desc.pm_type);
      observed.limits = {AgeLimit{}};
      append_set(set == fetched.sets.end() ? nothing_ : *set, program_->operands[i].desc,
                 {.stamp = fetched.stamp}, last_roster_ids_[i], rosters_, observed.column);
    }
    evaluator_->step(wave_, results_);
    const Column& column = results_.columns.front();
    const Row& row = column.rows.front();
    made_.format = format_of(desc_);
    made_.count = std::min(row.status, 0);
    made_.values.clear();
    if (row.status != kKnown) return;
    const auto instances = rosters_.instances(row.roster_id);
    // To whoever asks for its name a guest is nobody.
    Lanes lanes = rosters_.lanes(row.roster_id, row.roster_id);
    for (size_t i = 0; i < lanes.size(); ++i) {
      if (evaluator_->is_guest(desc_.indom, instances[i])) lanes[i] = kAbsentLane;
    }
    take_known(column, row.offset, instances, lanes, desc_, made_);
    // Somebody else may know the one instance of a singular metric by another name.
    for (Value& value : made_.values) {
      if (desc_.indom == kNullId) value.instance = kSingular;
    }
  }

  std::shared_ptr<StrictTexts> texts_;
  uint32_t index_;  // of its definition
  Desc desc_;
  std::shared_ptr<const Program> program_;
  Rosters rosters_;
  std::optional<Evaluator> evaluator_;
  std::vector<PmId> operands_;
  std::vector<RosterId> last_roster_ids_;  // beside the operands
  Wave wave_;
  ResultBlock results_;
  FetchedSet made_;
  const FetchedSet nothing_{};  // of an operand that was not fetched
  uint64_t fetch_ = UINT64_MAX;
};

class FilesInContext final : public StrictContext {
 public:
  // All of them outlive it.
  FilesInContext(const CompileInput& input, const CompileOptions& options, Context& recorded)
      : input_(input), options_(options), recorded_(recorded) {}

  [[nodiscard]] std::unique_ptr<StrictMetric> bind(const std::string& name,
                                                   const StrictFiles::Sink& say) override;

 private:
  const CompileInput& input_;
  const CompileOptions& options_;
  Context& recorded_;
  std::shared_ptr<StrictTexts> texts_;
  size_t files_ = 0;  // that are parsed
};

std::unique_ptr<StrictMetric> FilesInContext::bind(const std::string& name,
                                                   const StrictFiles::Sink& say) {
  if (texts_ == nullptr || files_ != input_.definition_files.size()) {
    texts_ = std::make_shared<StrictTexts>(input_, options_, recorded_);
    files_ = input_.definition_files.size();
  }
  const auto index = texts_->sema.definition(name);
  check(index.has_value(), "what is bound was read");
  if (!texts_->files.runs(*index, say)) return nullptr;
  return std::make_unique<BoundMetric>(texts_, *index);
}

class Files final : public StrictFiles {
 public:
  explicit Files(const DeriveOptions& options) {
    options_.dialect.otherwise = options.dialect;
    options_.evaluator = EvaluatorChoice::interpreter;
    options_.counter_wrap = std::getenv("PCP_COUNTER_WRAP") != nullptr;
  }

  [[nodiscard]] std::optional<std::vector<StrictDefinition>> read(const SourceText& file,
                                                                  const Sink& say) override;
  void keep(const SourceText& file) override { input_.definition_files.push_back(file); }
  [[nodiscard]] std::unique_ptr<StrictContext> attach(
      Context& recorded, const EquivalentDomains& equivalent) override {
    options_.equivalent = equivalent;
    return std::make_unique<FilesInContext>(input_, options_, recorded);
  }

 private:
  CompileInput input_;
  CompileOptions options_;
};

std::optional<std::vector<StrictDefinition>> Files::read(const SourceText& file, const Sink& say) {
  Diags diags;
  const DefinitionFile parsed = parse_definitions(file, diags);
  std::vector<NamedExpr> names;
  for (const Definition& definition : parsed.definitions) {
    names.push_back({.name = definition.name,
                     .diags = &diags,
                     .source = &file,
                     .name_span = definition.name_span});
  }
  refuse_repeated(names, {});
  if (!diags.empty()) say(render_all(diags, file));
  if (diags.has_errors()) return std::nullopt;
  std::vector<StrictDefinition> out;
  std::map<std::string_view, size_t> by_name;  // of `out`
  const LineStarts starts(file.text);
  for (const Definition& definition : parsed.definitions) {
    by_name[definition.name] = out.size();
    out.push_back({.name = definition.name,
                   .line = line_column(file, starts, definition.name_span.begin).line});
  }
  for (const Attribute& attribute : parsed.attributes) {
    const auto of = by_name.find(attribute.metric);
    if (of == by_name.end()) continue;
    StrictDefinition& made = out[of->second];
    (attribute.key == "oneline" ? made.one_line : made.help) = attribute.value;
  }
  return out;
}

}  // namespace

std::unique_ptr<StrictFiles> make_strict_files(const DeriveOptions& options) {
  return std::make_unique<Files>(options);
}

}  // namespace pmjit
