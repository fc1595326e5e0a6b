#!/bin/bash
# Installs what is missing and builds pmjit. Then runs what README.md shows over examples/web1,
# derived metrics over an archive of PCP's sample agent, expressions over our own collector, and a
# daemon.
set -euo pipefail
cd "$(dirname "$0")"
. cmake/setup.sh

install_packages build demo
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

say "what is in an archive"
show info examples/web1 | sed -n 1,16p

say "how busy was the disk, when would a rule have fired, and why"
show eval -a examples/web1 -t 1min --rate disk.dev.write
cat examples/busy.pmie
show run examples/busy.pmie -a examples/web1 -o timeline
show explain why busy examples/busy.pmie -a examples/web1 --at @22:58

say "derived metrics: $definitions"
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

say "live: our own collector, and expressions on it every second"
collector=$(mktemp)
"$pmjit" collect --port auto > "$collector" 2>&1 &
trap 'kill %1 2>/dev/null; rm -f "$collector"' EXIT
for _ in $(seq 50); do
  port=$(sed -n 's/.*listening on .* port \([0-9]*\).*/\1/p' "$collector" | head -1)
  [ -n "$port" ] && break
  sleep 0.1
done
[ -n "$port" ] || { cat "$collector"; exit 1; }
show eval -h "127.0.0.1:$port" -s 4 -o csv-wide kernel.all.load 'sum(rate(kernel.percpu.cpu.user))'

say "rules as a daemon, until a real Alertmanager has the alert"
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$collector" "$folder"' EXIT
alertmanager=127.0.0.1:19093
printf 'route: {receiver: none}\nreceivers: [{name: none}]\n' > "$folder/alertmanager.yml"
cat > "$folder/clients.pmie" <<'RULES'
// pmjit: dialect=strict
delta = 500 millisec;
demo.clients = pmcd.numclients >= 1;
RULES
cat > "$folder/pmjit.toml" <<CONFIG
[daemon]
state = "state"
run = "run"
[http]
listen = "127.0.0.1:0"
[[hosts]]
names = ["here"]
spec = "127.0.0.1:$port"
[[rules]]
files = ["clients.pmie"]
[rules.alert."demo.*"]
severity = "info"
for = "1s"
[[sink]]
name = "alertmanager"
type = "alertmanager"
urls = ["http://$alertmanager"]
retry_min = "200ms"
retry_max = "1s"
CONFIG
cat "$folder/clients.pmie" "$folder/pmjit.toml"
prometheus-alertmanager --config.file "$folder/alertmanager.yml" --storage.path "$folder/data" \
    --web.listen-address "$alertmanager" --cluster.listen-address "" 2> "$folder/alertmanager.log" &
"$pmjit" run "$folder/pmjit.toml" &
for _ in $(seq 100); do
  amtool --alertmanager.url "http://$alertmanager" alert query demo.clients \
      > "$folder/alerts" 2>/dev/null && grep -q demo.clients "$folder/alerts" && break
  sleep 0.1
done
echo
echo "\$ amtool --alertmanager.url http://$alertmanager alert query demo.clients"
cat "$folder/alerts"
grep -q demo.clients "$folder/alerts"
