"""What scripts that measure share: the bench preset's build, archives, the time of processes."""

import os
import pathlib
import resource
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/bench"
DATA = BUILD / "data"
# As PCP's tools need it; definitions only where they are asked for.
ENVIRONMENT = {**os.environ, "PCP_DERIVED_CONFIG": "", "TZ": "UTC", "LC_ALL": "C"}
# Archives of DATA: options of make_archive, or of another generator. 14.4 million values; 4
# million; next to none.
WIDE = "--metrics 20 --instances 500 --records 1440 --type "
ARCHIVES = {
    "host": "--metrics 40 --instances 4 --singular 300 --records 8640 --step 10",
    "decode_u64": WIDE + "u64",
    "decode_u32": WIDE + "u32",
    "dump_f64": WIDE + "f64",
    "singular": "--metrics 200 --instances 0 --records 20000 --type u64",
    "few": "--metrics 20 --instances 5 --records 5 --type u64",
    "churn": "--metrics 1 --instances 20000 --records 60 --churn 1 --type u64",
    "churn_long": "--metrics 1 --instances 20000 --records 180 --churn 1 --type u64",
    "thousand": "--metrics 20 --instances 1000 --records 5 --type u64",
    "definitions": "--metrics 20 --instances 50 --records 10 --type u64",
    "busy": "--hours 3",
}
GENERATORS = {"busy": "make_busy"}


def run_quietly(command):
    """What it prints; ends this program where it fails."""
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-3000:]}{done.stderr[-3000:]}\n"
                 f"FAILED {' '.join(map(str, command))}: exit {done.returncode}")
    return done.stdout


def build_bench():
    run_quietly(["cmake", "--preset", "bench"])
    run_quietly(["cmake", "--build", "--preset", "bench", "-j", str(os.cpu_count())])


def make_archive(base, options, build=BUILD, generator="make_archive"):
    base.parent.mkdir(parents=True, exist_ok=True)
    run_quietly([build / "bin" / generator, base, *options.split()])


def archive(name):
    """One of ARCHIVES; made once."""
    base = DATA / name
    if not pathlib.Path(f"{base}.meta").exists():
        make_archive(base, ARCHIVES[name], generator=GENERATORS.get(name, "make_archive"))
    return base


class Took(NamedTuple):
    """Seconds of a whole process, or of several."""
    processor: float  # user and system: what else the machine does disturbs it little
    clock: float

    def __add__(self, other):
        return Took(self.processor + other.processor, self.clock + other.clock)


def took(command, config=""):
    """What it prints is lost; `config`: PCP_DERIVED_CONFIG."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={**ENVIRONMENT, "PCP_DERIVED_CONFIG": config}, check=False)
    clock, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"FAILED {' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return Took(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, clock)


class Best:
    """The least of several rounds, by name: whatever else the machine does only adds."""

    def __init__(self):
        self.of = {}

    def add(self, name, seconds):
        known = self.of.get(name, seconds)
        self.of[name] = Took(*map(min, known, seconds))
