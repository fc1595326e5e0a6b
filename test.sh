#!/bin/bash
# Installs what is missing, builds and runs every test; the last line is the count over all stages.
#
#   ./test.sh            all stages
#   ./test.sh --quick    build and run the short tests of the dev preset
#   PMJIT_ORACLE=1       compare with real PCP as well (installs Debian's pcp packages)
#   FUZZ_SECONDS=1       seconds per fuzz target
#
# A stage that fails does not keep the others from running. Presets are built one after the other,
# each while the tests of those before it run (cmake/build_ahead). At the end stands what each stage
# took, wall-clock time and processor time of the programs that it ran, and behind it what failed:
# each test, with the last lines that it printed.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. cmake/setup.sh

# Debian's Python comes first: python3-pcp is a module of it, and another python3 on a developer's
# PATH, as pyenv has one, takes 0.4 s to start where Debian's takes 0.06 s.
export PATH="/usr/bin:$PATH"

quick=no
case ${1:-} in
  --quick) quick=yes ;;
  '') ;;
  *) echo "usage: ./test.sh [--quick]" >&2; exit 2 ;;
esac
jobs=$(nproc)
tests_at_once=$((3 * jobs))  # many wait for hosts and clocks
passed=0 failed=0 skipped=0
stage_lines=() stage_format='%-16s %6d s %10d s'
result_files=() other_failures=()
built_processor=0
trap at_end EXIT

at_end() {
  say_times
  say_failures
  printf '\n%s\n' "$passed passed, $failed failed${skip_note:-}"
}

# measure_processor: sets `processor` to the processor time, in seconds, of all programs that have
# ended. It must run in this shell: a subshell has run nothing yet.
measure_processor() {
  times > build/test.times
  processor=$(awk 'NR == 2 {
      for (i = 1; i <= 2; ++i) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] }
    }
    END { printf "%d", sum + 0.5 }' build/test.times)
}

# stage NAME COMMAND…: runs the command and keeps what it took.
stage() {
  local name=$1 began=$SECONDS used status
  measure_processor
  used=$processor
  shift
  "$@"
  status=$?
  measure_processor
  stage_lines+=("$(printf "$stage_format" "$name" $((SECONDS - began)) $((processor - used)))")
  return $status
}

say_times() {
  [ ${#stage_lines[@]} -gt 0 ] || return 0
  measure_processor
  printf '\n%-16s %8s %12s\n' stage time processor
  printf '%s\n' "${stage_lines[@]}"
  # shellcheck disable=SC2059
  printf "$stage_format\n" all "$SECONDS" $((processor + built_processor))
}

# fail WHAT: counts a failure that no file of test results has.
fail() {
  failed=$((failed + 1))
  other_failures+=("$1")
}

say_failures() {
  [ "$failed" -gt 0 ] || return 0
  [ ${#result_files[@]} -eq 0 ] || tests/failed "${result_files[@]}"
  [ ${#other_failures[@]} -eq 0 ] || printf '\n== %s\n' "${other_failures[@]}"
}

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

# build_presets PRESET…: builds them one after the other, from now on and beside all that follows.
# Many tests wait for hosts and clocks; the next preset is built meanwhile.
build_presets() {
  local preset
  for preset; do : > "build/$preset.build.log"; done
  # With job control, what runs in the background leads a process group.
  exec {built}< <(set -m; cmake/build_ahead $$ "$jobs" "$@" &)
}

# await_build PRESET: shows what its build prints until it has ended.
await_build() {
  say "build: $1"
  local ended=none status seconds used reader
  tail -n +1 -s 0.2 --pid=$$ -f "build/$1.build.log" &
  reader=$!
  read -r ended status seconds used <&$built
  sleep 1  # for the last lines
  kill $reader
  wait $reader 2> /dev/null
  if [ "$ended" != "$1" ]; then
    fail "the $1 preset: cmake/build_ahead ended without it"
    return 1
  fi
  # shellcheck disable=SC2059
  stage_lines+=("$(printf "$stage_format" "build $1" "$seconds" "$used")")
  built_processor=$((built_processor + used))
  [ "$status" = 0 ] || {
    fail "the $1 preset does not build: see \"build: $1\" above"
    return 1
  }
}

# run_ctest PRESET ctest-options…
run_ctest() {
  local preset=$1 result=$PWD/build/$1.tests.xml
  shift
  say "tests: $preset $*"
  rm -f "$result"
  ctest --preset "$preset" -j "$tests_at_once" --output-junit "$result" "$@" | grep -v ' Passed '
  if [ -f "$result" ]; then
    count_junit "$result"
    result_files+=("$result")
  else
    fail "tests $preset: ctest wrote no $result"
  fi
}

run_fuzzers() {
  local verdict name
  say "fuzz: ${FUZZ_SECONDS:-1} s per target"
  tests/fuzz/run "${FUZZ_SECONDS:-1}" > build/fuzz.verdicts
  while read -r verdict name; do
    echo "$verdict $name"
    if [ "$verdict" = ok ]; then passed=$((passed + 1)); else fail "fuzz: $verdict $name"; fi
  done < build/fuzz.verdicts
}

# install_peers: programs that tests compare with or hand our output to. No build needs them.
install_peers() {
  if [ "${PMJIT_ORACLE:-0}" = 1 ]; then
    stage oracle tests/oracle/install || fail "oracle: tests/oracle/install, see above"
    export PMJIT_ORACLE
  else
    echo "comparisons with real PCP are skipped: PMJIT_ORACLE=1 is not set"
  fi
  stage readers tests/readers/install || echo "no other program reads what pmjit writes: see above"
}

# What users get is what is tested: bench is the release build with tests. The preset asan sets
# LSAN_OPTIONS=use_tls=0: leak checkers lose the thread-local storage of libraries that were opened
# at run time, as the code generator's module is. What they then take for leaks stands in
# cmake/lsan.supp.
all_stages() {
  build_presets bench asan tsan
  install_peers
  if await_build bench; then stage 'tests bench' run_ctest bench; fi
  if await_build asan; then
    stage 'tests asan' run_ctest asan -LE 'slow|starts|tidy'
    stage 'fuzz' run_fuzzers
  fi
  if await_build tsan; then stage 'tests tsan' run_ctest tsan; fi
}

quick_stages() {
  build_presets dev
  install_peers
  if await_build dev; then stage 'tests dev' run_ctest dev -LE 'slow|long'; fi
}

mkdir -p build
stage 'packages' install_packages build demo test || { fail "packages: see above"; exit 1; }
if [ $quick = yes ]; then quick_stages; else all_stages; fi

[ "$skipped" -eq 0 ] || skip_note=", $skipped skipped"
[ "$failed" -eq 0 ]
