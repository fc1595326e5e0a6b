#!/bin/bash
# Installs what is missing, builds and runs every test; the last line is the count over all stages.
#
#   ./test.sh            all stages
#   ./test.sh --quick    build and run the tests of the dev preset without the slow ones
#   PMJIT_ORACLE=1       compare with real PCP as well (installs Debian's pcp packages)
#   FUZZ_SECONDS=10      a fuzz target
#
# A stage that fails does not keep the others from running.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. cmake/setup.sh

quick=no
case ${1:-} in
  --quick) quick=yes ;;
  '') ;;
  *) echo "usage: ./test.sh [--quick]" >&2; exit 2 ;;
esac
jobs=$(nproc)
passed=0 failed=0 skipped=0
trap 'echo; echo "$passed passed, $failed failed${skip_note:-}"' EXIT

# count_junit FILE: adds a ctest result file to the sums.
count_junit() {
  local head
  head=$(tr '\n' ' ' < "$1" | grep -o '<testsuite [^>]*>')
  number() { echo "$head" | sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p"; }
  local all fails skips
  all=$(number tests) fails=$(number failures) skips=$(number skipped)
  local off
  off=$(number disabled)
  failed=$((failed + fails))
  skipped=$((skipped + skips + off))
  passed=$((passed + all - fails - skips - off))
}

# build PRESET
build() {
  say "build: $1"
  local log=build/$1.configure.log
  { cmake --preset "$1" > "$log" 2>&1 || { cat "$log"; false; }; } &&
      cmake --build --preset "$1" -j "$jobs" || {
    echo "the $1 preset does not build" >&2
    failed=$((failed + 1))
    return 1
  }
}

# run_ctest PRESET ctest-options…
run_ctest() {
  local preset=$1 result=$PWD/build/$1.tests.xml
  shift
  say "tests: $preset $*"
  rm -f "$result"
  ctest --preset "$preset" -j "$jobs" --output-junit "$result" "$@" | grep -v ' Passed '
  if [ -f "$result" ]; then count_junit "$result"; else failed=$((failed + 1)); fi
}

# The preset asan sets LSAN_OPTIONS=use_tls=0: g++ 12's leak checker dies of the thread-local
# storage of libraries that were opened at run time, as the code generator's module is; what it then
# takes for leaks stands in cmake/lsan.supp.
stages_after_dev() {
  if build bench; then run_ctest bench; fi
  if build asan; then run_ctest asan -LE 'slow|tidy'; fi
  if build tsan; then run_ctest tsan; fi
  if build fuzz; then
    say "fuzz: ${FUZZ_SECONDS:-10} s a target"
    while read -r verdict name; do
      echo "$verdict $name"
      if [ "$verdict" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done < <(tests/fuzz/run "${FUZZ_SECONDS:-10}")
  fi
}

mkdir -p build
install_packages build test || { failed=1; exit 1; }
if [ "${PMJIT_ORACLE:-0}" = 1 ]; then
  tests/oracle/install || failed=$((failed + 1))
  export PMJIT_ORACLE
else
  echo "comparisons with real PCP are skipped: PMJIT_ORACLE=1 is not set"
fi
tests/arrow/install || echo "Arrow streams are not read by another program: see above"

if build dev; then
  if [ $quick = yes ]; then run_ctest dev -LE slow; else run_ctest dev; fi
fi
[ $quick = yes ] || stages_after_dev

[ "$skipped" -eq 0 ] || skip_note=", $skipped skipped"
[ "$failed" -eq 0 ]
