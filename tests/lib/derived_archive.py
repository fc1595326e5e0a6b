"""The archives that random definitions are tried on, as PCP's own tools see them, and runs of a
tool under a definition file. For tests/shown/derived_differential and derived_eval.

    archive = Archive(oracle_archives() / "dyninsts")
    run("pmval", ["-a", archive.path, "t.a"], folder)     # folder has the file "first"
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

from derived_expressions import PINFO_TYPES, Node, parse_units

ARCHIVES = ["dyninsts", "dyninsts", "dyninsts2", "omnibus_v2", "omnibus_v2", "omnibus_v3",
            "value-test", "uwrap", "wrap", "gap", "gap2", "mark-bug", "proc", "proc", "rep",
            "markmerge", "interpmark", "changeinst", "cputime", "rattle", "sample_expr",
            "sample-secs", "fcsw_indom", "reduce-1", "late", "instant-1", "bug1057"]
SECONDS_MAX = 10
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("PCP_", "MALLOC_"))} | {
    "TZ": "UTC", "LC_ALL": "C"}


class Archive:
    """What the real pminfo and pmprobe say of an archive."""

    def __init__(self, path):
        self.path = str(path)
        told = ask("pmdumplog", "-lxxx", self.path)
        times = re.findall(r"(?:commencing|ending) .* (\d+)\n", told)
        self.span = max(1, int(times[1]) - int(times[0])) if len(times) == 2 else 10
        self.instances = collections.defaultdict(list)
        described = ask("pminfo", "-d", "-f", "-a", self.path)
        later = ask("pminfo", "-f", "-O", f"{self.span / 2}", "-a", self.path)
        self.metrics = self.parse(described)
        for block in (described + "\n\n" + later).split("\n\n"):
            name = block.strip().split("\n")[0].strip()
            for instance in re.findall(r'^    inst \[-?\d+ or "(.*)"\] value', block, re.M):
                if instance not in self.instances[name]:
                    self.instances[name].append(instance)
        self.find_empty()

    def parse(self, described):
        pattern = re.compile(r"^(\S+)\n    Data Type: (.*?)  InDom: (\S+) .*\n"
                             r"    Semantics: (\S+)  Units: (.*)$", re.M)
        out = []
        for name, kind, indom, sem, units in pattern.findall(described):
            indom = "" if indom == "PM_INDOM_NULL" else indom
            if not name.startswith("event."):  # derived metrics themselves
                out.append(Node(name, PINFO_TYPES.get(kind, kind), sem, indom, parse_units(units),
                                shape=name if indom else ""))
        return out

    def find_empty(self):
        """Marks the metrics that have no values at one of 9 times."""
        for ninth in range(9):
            told = ask("pmprobe", "-O", f"{ninth * self.span / 8:.3f}", "-a", self.path)
            counts = dict(line.split(" ")[:2] for line in told.splitlines() if " " in line)
            for metric in self.metrics:
                metric.empty |= int(counts.get(metric.text, 0)) <= 0


def ask(*command):
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL,
                          env=ENVIRONMENT | {"PCP_DERIVED_CONFIG": ""}, timeout=60)
    return done.stdout.decode("utf-8", "replace")


def oracle_archives():
    for line in open("/etc/pcp.conf", encoding="utf-8"):
        if line.startswith("PCP_VAR_DIR="):
            return pathlib.Path(line.split("=", 1)[1].strip()) / "testsuite/archives"
    return sys.exit("/etc/pcp.conf does not say where PCP's archives are")


def run(program, arguments, folder, perturb=None):
    """Output, messages and exit status; or "hangs" or "crashes"."""
    environment = ENVIRONMENT | {"PCP_DERIVED_CONFIG": "first"}
    if perturb:
        environment["MALLOC_PERTURB_"] = str(perturb)
    try:
        done = subprocess.run([program, *arguments], capture_output=True, check=False, cwd=folder,
                              stdin=subprocess.DEVNULL, timeout=SECONDS_MAX, env=environment)
    except subprocess.TimeoutExpired:
        return "hangs"
    return "crashes" if done.returncode < 0 else (done.stdout, done.stderr, done.returncode)


def reads_nothing(tool, arguments, folder, chosen):
    """Whether max() or min() of the definition meets a sample without values (defect 7)."""
    names = re.findall(r"\b(?:max|min)\(\s*([\w.]+)", chosen.text) if chosen else []
    for name in names:
        (folder / "count").write_text(f"t.counted_only = count({name})\n", encoding="utf-8")
        told = run(tool, ["--derived=count", *arguments[:-1], "t.counted_only"], folder)
        if not isinstance(told, tuple) or re.search(rb" 0(\.0+)? *$", told[0], re.M):
            return True
    return False


def of_pcp(tool, arguments, chosen, folder):
    """What the real tool says, or why it is left out."""
    told = run(shutil.which(tool), arguments, folder, 85)
    if isinstance(told, str):
        return f"real tool {told}"
    if told != run(shutil.which(tool), arguments, folder, 170):
        return "real tool reads memory it does not own"
    if reads_nothing(tool, arguments, folder, chosen):
        return "max() or min() of no values (7)"
    return told
