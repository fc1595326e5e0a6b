// What wrong_calls.cc and its neighbours share: a call, and what it must return. On PCP's library
// (PMJIT_CALLS_APART=1) each call runs in a process of its own, for that library crashes on many
// of them; where it does not, it must return the same.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "runtime/pmapi/include/pcp/pmapi.h"

namespace pmjit {

void expect_number(long wanted, const std::function<long()>& call, const char* what);
void expect_text(const char* wanted, const std::function<const char*()>& call, const char* what);
// Of what returns nothing, or a number that says nothing: it returns.
void expect_return(const std::function<void()>& call, const char* what);
bool of_ours();

// Of an archive that is open, so that only the arguments are wrong.
struct Known {
  const char* archive;
  int context;
  pmID load, reads;  // with an own domain, and with that of disks
  pmInDom disks;
};
extern Known g_known;

// `pass`: derived metrics have a name each time.
void right_calls(int pass);
void wrong_names();
void wrong_metrics();
void wrong_fetches();
void wrong_contexts();
void wrong_values();
void wrong_texts();
void wrong_identifiers();
void wrong_times();
void wrong_derived();
void wrong_groups();
void wrong_labels();
void wrong_program();
// Nothing is wrong but that there is no current context. `names`: what pmLookupName() says then.
void without_context(int names);

}  // namespace pmjit

#define WANT(code, call) pmjit::expect_number(code, [&] { return static_cast<long>(call); }, #call)
#define WANT_TEXT(text, call) \
  pmjit::expect_text(text, [&] { return static_cast<const char*>(call); }, #call)
#define RETURNS(call) pmjit::expect_return([&] { (void)(call); }, #call)
// What PCP's library does otherwise without a crash: the reason stands beside it.
#define OURS(code, call) \
  if (pmjit::of_ours()) WANT(code, call)
#define OURS_TEXT(text, call) \
  if (pmjit::of_ours()) WANT_TEXT(text, call)
