"""The archives that random rule files are tried on, as the real tools see them: metrics with their
instances, and the values that pmie itself sees, from which thresholds are made.

    subject = Subject(["tests/golden/archives/rec-v3"])
    subject.numbers[0].values
"""

import collections
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/lib"))
from derived_archive import (ARCHIVES, ENVIRONMENT, Archive, ask,  # noqa: E402
                             oracle_archives)

GOLDEN = ROOT / "tests/golden"
# Archives that go together are of different hosts. Those named more often are richer.
OF_PROJECT = [
    *[["rules/archives/lab"]] * 5, *[["rules/archives/lab", "rules/archives/labb"]] * 5,
    ["rules/archives/labb"], ["archives/rec-v2"], ["archives/rec-v3"], ["archives/rec-v3b"],
    ["archives/rec-mark-v2"], ["archives/rec-mark-v3"], ["archives/types-v2"],
    ["archives/types-v3"], ["archives/mark-v2"], ["archives/mark-v3"], ["archives/insts4"],
    ["archives/insts20"], ["archives/insts20"], ["archives/wrap"], ["archives/odd"],
    ["archives/meta-v3"], ["archives/vols-v3"], ["archives/xzvol"], ["archives/extra-v3"],
    ["archives/ma", "archives/md"], ["archives/far-v3"], ["archives/multi"]]
OF_SUITE = [
    *[[name] for name in dict.fromkeys(ARCHIVES)], ["multi-vm00", "multi-vm01"],
    ["multi-vm00", "multi-vm01", "multi-vm02", "multi-vm03"], ["kenj-pc-1"],
    ["babylon.pmview_v2"], ["conn20070309"], ["20041125"], ["moomba.client"]]
SIGNED = "32"  # pminfo's 32-bit int
INSTANCES_MAX = 60  # of a metric that files name; with more the output says no more
PROFILE_POINTS = 8


def lists():
    """The lists of archives at hand."""
    found = [[str(GOLDEN / name) for name in group] for group in OF_PROJECT]
    suite = oracle_archives()
    for group in OF_SUITE:
        if all(list(suite.glob(f"{name}.meta*")) for name in group):
            found.append([str(suite / name) for name in group])
    return found


@dataclasses.dataclass
class Metric:
    name: str
    indom: str
    counter: bool
    dims: tuple  # of space, time, count
    instances: list
    values: list  # as pmie sees them: rates of counters, canonical units


def falls(path, name):
    """Is a value of the metric less than the one recorded before?"""
    last = {}
    for instance, text in re.findall(r"(inst \[.*\]|\):) value (-?\d+)$",
                                     ask("pmdumplog", path, name), re.M):
        if int(text) < last.get(instance, int(text)):
            return True
        last[instance] = int(text)
    return False


class Subject:
    def __init__(self, paths):
        self.paths = paths
        archives = [Archive(path) for path in paths]
        self.span = max(archive.span for archive in archives)
        self.hosts = []
        for path in paths:
            told = re.search(r"host (\S+)", ask("pmdumplog", "-l", path))
            self.hosts += [told[1]] if told else []  # not of a folder
        first = archives[0]
        seen = self.values([node.text for node in first.metrics if node.numeric()])
        self.refused, self.texts, self.numbers = [], [], []
        self.signed_falling = [node.text for archive in archives for node in archive.metrics
                               if node.counter() and node.type == SIGNED
                               and falls(archive.path, node.text)]
        for node in first.metrics:
            known = first.instances[node.text]
            metric = Metric(node.text, node.indom, node.counter(), node.dims(), known,
                            seen[node.text] or [0, 1, 100])
            if node.type == "string":
                metric.values = re.findall(r'"([^"\\$]*)"', ask(
                    "pminfo", "-f", "-O", "+0.1", "-a", paths[0], node.text))
                self.texts.append(metric)
            elif not node.numeric():
                self.refused.append(metric.name)
            elif len(known) <= INSTANCES_MAX:
                self.numbers.append(metric)
        self.domains = collections.defaultdict(list)
        for metric in self.numbers:
            if metric.indom and metric.instances:
                self.domains[metric.indom].append(metric)
        self.singular = [m for m in self.numbers if not m.indom]

    def values(self, names):
        """By the real pmie: some numbers of each metric."""
        rules = "".join(f"m{i} = {name};\n" for i, name in enumerate(names))
        seen = collections.defaultdict(list)
        with tempfile.NamedTemporaryFile("w", suffix=".pmie") as file:
            file.write(rules)
            file.flush()
            done = subprocess.run(
                ["pmie", "-q", "-v", "-t", f"{self.span / PROFILE_POINTS:.3f}", "-a",
                 self.paths[0], file.name], capture_output=True, check=False, timeout=30,
                stdin=subprocess.DEVNULL, env=ENVIRONMENT | {"PCP_DERIVED_CONFIG": ""})
        for line in done.stdout.decode("utf-8", "replace").splitlines():
            told = re.match(r"m(\d+) \(.*?\): (.*)", line)
            if told:
                seen[names[int(told[1])]] += [
                    float(word) for word in told[2].split() if re.match(r"-?[\d.]+(e|$)", word)]
        return seen
