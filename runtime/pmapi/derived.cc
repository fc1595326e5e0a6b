// Derived metrics. Source: spec pmapi.md §11, derived-metrics.md §7.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/pmapi/open_context.h"

using namespace pmjit;

namespace {

using Refusal = DefinitionRefusal;
using MaybeRefused = std::optional<Refusal>;

// Of the last definition of this thread. Its text is the library's.
struct LastRefusal {
  std::string text;
  bool any = false;
};
LastRefusal& last_refusal() {
  static thread_local LastRefusal last;
  return last;
}

MaybeRefused note(MaybeRefused refused) {
  LastRefusal& last = last_refusal();
  last.any = refused && !refused->message.empty();
  last.text = refused ? refused->message : "";
  return refused;
}

MaybeRefused define_for_all(const char* name, const char* expression) {
  Library& library = the_library();
  const std::unique_lock alone(library.definitions);
  return note(library.derived->define(name, expression));
}

// Where in the expression reading stopped.
const char* stopped_at(const char* expression, const Refusal& refused) {
  const auto length = static_cast<int64_t>(std::strlen(expression));
  const int64_t offset = refused.kind == Refusal::Kind::syntax ? refused.offset : 0;
  return expression + std::clamp<int64_t>(offset, 0, length);
}

// Of an empty expression the mark stands behind a blank, as libpcp has it.
std::string with_caret(const char* expression, const Refusal& refused) {
  const bool empty = *expression == '\0';
  const int64_t offset = empty ? 1 : refused.kind == Refusal::Kind::syntax ? refused.offset : 0;
  return fmt::format("{}\n{}^\n", expression,
                     std::string(static_cast<size_t>(std::max<int64_t>(offset, 0)), ' '));
}

std::string line_of(const std::string& message) { return message.empty() ? "" : message + "\n"; }

std::string of_context(const char* name, const char* expression, const Refusal& refused) {
  if (refused.kind == Refusal::Kind::registration) {
    return fmt::format("Error: pmAddDerivedMetric(\"{}\", ...): returns {}\n{}", name,
                       PM_ERR_BADDERIVE, line_of(refused.message));
  }
  return fmt::format("{} Error: pmAddDerivedMetric(\"{}\", ...)\n{}{}",
                     refused.kind == Refusal::Kind::syntax ? "Syntax" : "Semantic", name,
                     with_caret(expression, refused), line_of(refused.message));
}

// In the current context. PM_ERR_NOCONTEXT: there is none.
OrPmError<MaybeRefused> define_in_context(const char* name, const char* expression) {
  auto current = Working::current();
  if (!current) {
    (void)note(Refusal{.message = pm_error_text(PM_ERR_NOCONTEXT)});
    return pm_fail(pm_err::E_NOCONTEXT);
  }
  return note((*current)->metrics().deriver().define(name, expression));
}

// The flags that one of the debugging controls stands for.
int* flag_of_control(int what) {
  switch (what) {
    case PCP_DERIVED_DEBUG_SYNTAX: return &pmDebugOptions.appl0;
    case PCP_DERIVED_DEBUG_SEMANTICS: return &pmDebugOptions.appl1;
    case PCP_DERIVED_DEBUG_EVAL: return &pmDebugOptions.appl2;
    default: return nullptr;
  }
}

}  // namespace

char* pmRegisterDerived(const char* name, const char* expression) {
  if (name == nullptr || expression == nullptr) return const_cast<char*>(expression);
  return at_c_border_or(const_cast<char*>(expression), [&]() -> char* {
    const auto refused = define_for_all(name, expression);
    return refused ? const_cast<char*>(stopped_at(expression, *refused)) : nullptr;
  });
}

int pmRegisterDerivedMetric(const char* name, const char* expression, char** message) {
  if (message != nullptr) *message = nullptr;
  if (name == nullptr || expression == nullptr) return -1;
  return at_c_border([&] {
    const auto refused = define_for_all(name, expression);
    if (!refused) return 0;
    if (message != nullptr) {
      *message =
          give_text(fmt::format("Error: pmRegisterDerivedMetric(\"{}\", ...)\n{}{}", name,
                                with_caret(expression, *refused), line_of(refused->message)));
    }
    return -1;
  });
}

char* pmAddDerived(const char* name, const char* expression) {
  if (name == nullptr || expression == nullptr) return const_cast<char*>(expression);
  return at_c_border_or(const_cast<char*>(expression), [&]() -> char* {
    const auto refused = define_in_context(name, expression);
    if (!refused) return const_cast<char*>(expression);
    return *refused ? const_cast<char*>(stopped_at(expression, **refused)) : nullptr;
  });
}

int pmAddDerivedMetric(const char* name, const char* expression, char** message) {
  if (message != nullptr) *message = nullptr;
  if (name == nullptr || expression == nullptr) return -EINVAL;
  return at_c_border([&] {
    const auto refused = define_in_context(name, expression);
    if (refused && !*refused) return 0;
    const int code = refused ? PM_ERR_BADDERIVE : refused.error();
    if (message == nullptr) return code;
    *message =
        give_text(refused ? of_context(name, expression, **refused)
                          : fmt::format("Error: pmAddDerivedMetric(\"{}\", ...): returns {}\n{}\n",
                                        name, code, pm_error_text(code)));
    return code;
  });
}

int pmLoadDerivedConfig(const char* path) {
  if (path == nullptr) return -EINVAL;
  return at_c_border([&] {
    Library& library = the_library();
    library.begin_derived();
    const std::unique_lock alone(library.definitions);
    const auto loaded = library.derived->load(path);
    const std::string& wrong = library.derived->last_message();
    if (!wrong.empty()) (void)note(Refusal{.message = wrong});
    return loaded ? *loaded : loaded.error();
  });
}

char* pmDerivedErrStr(void) {
  LastRefusal& last = last_refusal();
  return last.any ? last.text.data() : nullptr;
}

int pmGetDerivedControl(int what, int* value) {
  if (value == nullptr) return -EINVAL;
  return at_c_border([&] {
    Library& library = the_library();
    if (what == PCP_DERIVED_GLOBAL_LIMIT) {
      const std::shared_lock shared(library.definitions);
      *value = library.derived->limit();
    } else if (what == PCP_DERIVED_CONTEXT_LIMIT) {
      auto current = Working::current();
      if (!current) return current.error();
      *value = (*current)->metrics().deriver().limit();
    } else if (const int* flag = flag_of_control(what)) {
      *value = pmDebugOptions.derive != 0 && *flag != 0 ? 1 : 0;
    } else {
      return PM_ERR_BADDERIVE;
    }
    return 0;
  });
}

int pmSetDerivedControl(int what, int value) {
  return at_c_border([&] {
    Library& library = the_library();
    if (what == PCP_DERIVED_GLOBAL_LIMIT) {
      const std::unique_lock alone(library.definitions);
      library.derived->set_limit(value);
    } else if (what == PCP_DERIVED_CONTEXT_LIMIT) {
      auto current = Working::current();
      if (!current) return current.error();
      (*current)->metrics().deriver().set_limit(value);
    } else if (int* flag = flag_of_control(what)) {
      pmDebugOptions.derive = *flag = value;
    } else {
      return PM_ERR_BADDERIVE;
    }
    return 0;
  });
}
