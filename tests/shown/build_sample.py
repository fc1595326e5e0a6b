"""Estimates the processor time that the builds of .ci/run take in a checkout of commit 0fb9e67.

    build_sample.py CHECKOUT

For each preset 28 compile commands, chosen at random with a fixed seed, are run and their processor
time scaled to all of them.
"""

import os
import random
import resource
import subprocess
import sys

SAMPLE = 28
TARGETS = {"dev": "all", "bench": "all", "asan": "all", "tsan": "threaded_tests",
           "fuzz": "fuzz_targets"}


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def commands(build, target):
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True,
                            capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if " -c " in line]


def estimate(checkout, preset, target):
    subprocess.run(["cmake", "--preset", preset], cwd=checkout, check=True,
                   stdout=subprocess.DEVNULL)
    build = f"{checkout}/build/{preset}"
    # What is generated is compiled, too.
    subprocess.run(["cmake", "--build", build, "--target", "pmjit_grammar", "pmjit_report"],
                   check=True, stdout=subprocess.DEVNULL)
    every = commands(build, target)
    before = used()
    for command in random.sample(every, SAMPLE):
        subprocess.run(command, shell=True, cwd=build, check=True, stderr=subprocess.DEVNULL)
    seconds = (used() - before) / SAMPLE * len(every)
    print(f"{preset}: {len(every)} objects, about {seconds:.0f} s")
    return seconds


def main():
    random.seed(7)
    os.environ["CCACHE_DISABLE"] = "1"
    total = sum(estimate(sys.argv[1], *one) for one in TARGETS.items())
    print(f"all builds: about {total:.0f} s of processor time")


main()
