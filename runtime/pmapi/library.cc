#include "runtime/pmapi/library.h"

#include <fmt/format.h>

#include <filesystem>
#include <ranges>

#include "compiler/compat/registry/derive.h"
#include "runtime/client/context_names.h"
#include "runtime/pmapi/messages.h"
#include "runtime/pmapi/open_context.h"

namespace pmjit {

Library& the_library() {
  static auto* const library = new Library();
  return *library;
}

Stamp stamp_now() {
  return stamp_from_nanos(the_library().clock.wall().time_since_epoch().count());
}
int64_t seconds_now() { return unix_seconds(the_library().clock.wall()); }

Library::Library() : derived(make_derived_metrics({.dialect = Dialect::pcp6, .for_all = true})) {
  derived->tell([](std::string_view text) {
    add_message(text);
    pmflush();
  });
}

void Library::begin_derived() {
  std::call_once(derived_begun_, [this] {
    const std::unique_lock alone(definitions);
    derived->begin();
  });
}

void Library::load_default_names() {
  const std::unique_lock alone(definitions);
  if (loaded_names.state() != LoadedNames::State::none) return;
  const int code = loaded_names.load(nullptr, SameMetric::allowed, true);
  if (code < 0) loaded_names.unload();  // others have names of their own; the next call tries again
}

int Library::next_handle() {
  const std::scoped_lock lock(contexts_lock_);
  return next_handle_++;
}

void Library::add(const std::shared_ptr<OpenContext>& context) {
  const std::scoped_lock lock(contexts_lock_);
  contexts_[context->handle()] = context;
}

std::shared_ptr<OpenContext> Library::find(int handle) {
  const std::scoped_lock lock(contexts_lock_);
  const auto found = contexts_.find(handle);
  return found == contexts_.end() ? nullptr : found->second;
}

// The last user of a context closes it, outside of the lock.
std::vector<std::shared_ptr<OpenContext>> Library::all_contexts() {
  const std::scoped_lock lock(contexts_lock_);
  std::vector<std::shared_ptr<OpenContext>> out;
  for (const auto& [handle, context] : contexts_) out.push_back(context);
  return out;
}

void Library::add_group(pmFG group) {
  const std::scoped_lock lock(groups_lock_);
  groups_.insert(group);
}

bool Library::has_group(pmFG group) {
  const std::scoped_lock lock(groups_lock_);
  return groups_.contains(group);
}

void Library::remove_group(pmFG group) {
  const std::scoped_lock lock(groups_lock_);
  groups_.erase(group);
}

bool Library::remove(int handle) {
  std::shared_ptr<OpenContext> gone;
  const std::scoped_lock lock(contexts_lock_);
  const auto found = contexts_.find(handle);
  if (found == contexts_.end()) return false;
  gone = std::move(found->second);
  contexts_.erase(found);
  return true;
}

namespace {

// A file that needs no pre-processing. None: it cannot be read.
std::optional<Preprocessed> as_it_is(const std::string& path) {
  std::error_code code;
  const bool is_folder = std::filesystem::is_directory(path, code);  // libpcp reads nothing there
  auto text = is_folder ? std::optional<std::string>("") : the_system()->file(path);
  if (!text) return std::nullopt;
  // Lines of such a file are counted from 2 on, as libpcp does, but for one that is no line of it.
  return Preprocessed{
      .text = fmt::format("# {} \"{}\"\n{}", text->starts_with('#') ? 1 : 2, path, *text)};
}

std::string default_names() {
  const char* named = std::getenv("PMNS_DEFAULT");
  if (named != nullptr) return named;
  const char* folder = pmGetOptionalConfig("PCP_VAR_DIR");
  return fmt::format("{}/pmns/root", folder == nullptr ? "/var/lib/pcp" : folder);
}

}  // namespace

int LoadedNames::load(const char* path, SameMetric same, bool preprocessed) {
  if (state_ == State::loaded) return PM_ERR_DUPPMNS;
  const std::string file = path == nullptr ? default_names() : path;
  if (preprocessed) {
    errno = 0;
    const auto text = as_it_is(file);
    if (text) {
      file_ = parse_name_space(*text, file, same);
    } else {
      file_ = {.code = errno != 0 ? -errno : -ENOENT,
               .messages = "Error Parsing ASCII PMNS: Cannot open \"" + file + "\"\n"};
    }
  } else {
    file_ = read_name_space(file, same);
  }
  // The pre-processor is a program of its own in PCP: its words do not go through pmprintf().
  std::fputs(file_.preprocessing.c_str(), stderr);
  if (!file_.messages.empty()) {
    add_message(file_.messages);
    pmflush();
  }
  state_ = file_.code == 0 ? State::loaded : State::failed;
  build();
  return file_.code;
}

void LoadedNames::use(const NameSpaceFile& file) {
  file_ = file;
  state_ = State::loaded;
  build();
}

// The newest child is listed first.
void LoadedNames::build() {
  names_ = {};
  if (state_ != State::loaded) return;
  for (const NamedMetric& leaf : file_.leaves | std::views::reverse) {
    names_.add(leaf.name, leaf.pmid);
  }
}

void LoadedNames::unload() {
  names_ = {};
  file_ = {};
  state_ = State::none;
}

int Zones::add(Zone zone) {
  const std::scoped_lock lock(lock_);
  zones_.push_back(std::move(zone));
  current_ = static_cast<int>(zones_.size()) - 1;
  return current_;
}

bool Zones::use(int handle) {
  const std::scoped_lock lock(lock_);
  if (handle < 0 || static_cast<size_t>(handle) >= zones_.size()) return false;
  current_ = handle;
  return true;
}

int Zones::current(const char** name) const {
  const std::scoped_lock lock(lock_);
  if (current_ < 0) return -1;
  const auto& said = zones_[static_cast<size_t>(current_)].name();
  *name = said ? said->c_str() : "";
  return current_;
}

Zone Zones::zone() const {
  const std::scoped_lock lock(lock_);
  return current_ < 0 ? own_ : zones_[static_cast<size_t>(current_)];
}

std::vector<OrPmError<PmId>> NamesInFront::look_up_names(std::span<const std::string_view> names) {
  if (in_front()) return look_up_in(loaded_.names(), names);
  if (source_ != nullptr) return source_->look_up_names(names);
  return std::vector<OrPmError<PmId>>(names.size(), pm_fail(no_names()));
}

OrPmError<std::vector<std::string>> NamesInFront::names(PmId pmid) {
  if (in_front()) return names_in(loaded_.names(), pmid);
  if (source_ != nullptr) return source_->names(pmid);
  return pm_fail(no_names());
}

// The root of a dynamic subtree is no leaf: its names are the agent's.
OrPmError<std::vector<Context::Child>> NamesInFront::loaded_children(std::string_view name) const {
  auto out = children_in(loaded_.names(), name);
  if (!out) return out;
  const std::string in_front = name.empty() ? std::string() : std::string(name) + '.';
  for (Child& child : *out) {
    const auto pmid = child.leaf ? loaded_.names().find(in_front + child.name) : std::nullopt;
    if (pmid && IS_DYNAMIC_ROOT(*pmid)) child.leaf = false;
  }
  return out;
}

OrPmError<std::vector<Context::Child>> NamesInFront::children(std::string_view name) {
  if (in_front()) return loaded_children(name);
  if (source_ != nullptr) return source_->children(name);
  return pm_fail(no_names());
}

OrPmError<std::vector<Context::Leaf>> NamesInFront::leaves(std::string_view name) {
  if (in_front()) return leaves_in(loaded_.names(), name);
  if (source_ != nullptr) return source_->leaves(name);
  return pm_fail(no_names());
}

std::vector<OrPmError<Desc>> NamesInFront::describe_metrics(std::span<const PmId> metrics) {
  if (source_ != nullptr) return source_->describe_metrics(metrics);
  return std::vector<OrPmError<Desc>>(metrics.size(), pm_fail(pm_err::E_NOCONTEXT));
}

namespace {

std::unexpected<int> no_source() { return pm_fail(pm_err::E_NOCONTEXT); }

}  // namespace

OrPmError<std::string> NamesInFront::metric_text(TextKind kind, PmId pmid) {
  if (source_ == nullptr) return no_source();
  return source_->metric_text(kind, pmid);
}

OrPmError<std::string> NamesInFront::indom_text(TextKind kind, InDomId indom) {
  if (source_ == nullptr) return no_source();
  return source_->indom_text(kind, indom);
}

OrPmError<std::vector<Context::Instance>> NamesInFront::instances(InDomId indom) {
  if (source_ == nullptr) return no_source();
  return source_->instances(indom);
}

OrPmError<int32_t> NamesInFront::instance_id(InDomId indom, std::string_view name) {
  if (source_ == nullptr) return no_source();
  return source_->instance_id(indom, name);
}

OrPmError<std::string> NamesInFront::instance_name(InDomId indom, int32_t instance) {
  if (source_ == nullptr) return no_source();
  return source_->instance_name(indom, instance);
}

OrPmError<std::vector<Context::Instance>> NamesInFront::instances_ever(InDomId indom) {
  if (source_ == nullptr) return no_source();
  return source_->instances_ever(indom);
}

OrPmError<void> NamesInFront::store(std::span<const FetchedSet> sets) {
  if (source_ == nullptr) return no_source();
  return source_->store(sets);
}

Result<void> NamesInFront::fetch(std::span<const PmId> metrics, const Profile& profile,
                                 Fetched& out) {
  if (source_ != nullptr) return source_->fetch(metrics, profile, out);
  return fail(Error(Fault::usage, "no context").pm_code(pm_err::E_NOCONTEXT));
}

Result<void> NamesInFront::fetch_stamp(Fetched& out) {
  if (source_ != nullptr) return source_->fetch_stamp(out);
  return fail(Error(Fault::usage, "no context").pm_code(pm_err::E_NOCONTEXT));
}

int NamesInFront::unknown_metric_status() const {
  return source_ != nullptr ? source_->unknown_metric_status() : 0;
}

}  // namespace pmjit
