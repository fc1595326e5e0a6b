"""What scripts share that compare the bytes of all ways in which eval evaluates: the interpreter,
kernels of every instruction set that this machine has, the choice by work; threads; blocks."""

import itertools
import subprocess
import sys

AUTO = ["--jit=auto"]
EVALUATORS = [["--jit=off"], AUTO]
KERNELS = [["--jit=on", f"--isa={isa}", f"--level={level}"]
           for isa in ("sse4.2", "avx2", "avx512", "native") for level in ("O0", "O2")]
SCHEDULES = [threads + rows for threads, rows in itertools.product(
    (["--threads=1"], ["--threads=2"], ["--threads=4"], []),
    (["--block-rows=1"], ["--block-rows=7"], ["--block-rows=1000"], []))]
FORMATS = ["csv", "json", "csv-wide", "arrow", "table"]
# Of the schedules each evaluator has these many with one text; others with the next.
SCHEDULES_EACH = 3


def run(program, archive, arguments, how):
    command = [program, "eval", "-a", archive, *how, *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0 and b"this machine has no" not in done.stderr:
        sys.exit(f"FAILED {' '.join(map(str, command))}: {done.stderr.decode()}")
    return done


def said(done):
    return done.stdout, done.stderr


def evaluators_here(program, archive, arguments):
    """Those that this machine can run."""
    return EVALUATORS + [how for how in KERNELS
                         if run(program, archive, arguments, how).returncode == 0]


class Comparison:
    """Of both outputs."""

    def __init__(self, program, evaluators):
        self.program, self.evaluators = program, evaluators
        self.schedules = itertools.cycle(SCHEDULES)
        self.runs = self.bytes_equal = 0

    def compare(self, archive, arguments, evaluators=None):
        """With the interpreter in one thread."""
        wanted = said(run(self.program, archive, arguments, ["--jit=off", "--threads=1"]))
        for evaluator, _ in itertools.product(evaluators or self.evaluators,
                                              range(SCHEDULES_EACH)):
            how = evaluator + next(self.schedules)
            if said(run(self.program, archive, arguments, how)) != wanted or not wanted[0]:
                sys.exit(f"FAILED {archive}, {' '.join(map(str, arguments))}: other bytes with "
                         f"{' '.join(how)}")
            self.runs += 1
            self.bytes_equal += len(wanted[0])
        next(self.schedules)  # so that each evaluator has each of them in turn
