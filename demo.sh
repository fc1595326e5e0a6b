#!/bin/bash
# Installs what is missing, builds pmjit and evaluates the derived metrics of tests/shown/rates.conf
# over an archive that real pmlogger recorded (tests/golden/archives/README.md says how).
set -euo pipefail
cd "$(dirname "$0")"
. cmake/setup.sh

install_packages build
say "build: release"
mkdir -p build
cmake --preset release > build/release.configure.log 2>&1 ||
    { cat build/release.configure.log; exit 1; }
cmake --build --preset release -j "$(nproc)" --target pmjit pmjit-codegen

pmjit=build/release/bin/pmjit
archive=tests/golden/archives/rec-v3
definitions=tests/shown/rates.conf

show() {
  echo
  printf '$ pmjit%s\n' "$(printf ' %q' "$@")"
  "$pmjit" "$@"
}

say "the definitions: $definitions"
cat "$definitions"
show check "$definitions" -a "$archive"

say "as a table"
show eval -c "$definitions" -a "$archive" demo.clock demo.mirage demo.share

say "as CSV, the first lines"
show eval -c "$definitions" -a "$archive" -o csv demo.spread demo.share | sed -n 1,10p

say "what the compiler makes of it"
show explain --dump=types,ir-opt,plan -a "$archive" 'sample.colour / sum(sample.colour) > 0.4'

say "how fast"
show eval -c "$definitions" -a "$archive" -o none --stats demo.clock demo.mirage demo.share
