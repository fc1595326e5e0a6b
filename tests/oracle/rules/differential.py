"""Random rule files through two programs, in two processes; counts and differences.

    told = compare(1, seed, archives, "default", "build/dev/dropin/pmie")
"""

import collections
import dataclasses
import difflib
import functools
import itertools
import multiprocessing
import pathlib
import re
import tempfile

import reduce
from cases import installed, random_case, run
from defects import judged
from subjects import Subject, lists

FIRED = re.compile(rb"^(print|shell|alarm|syslog|stomp) \w{3} \w{3}", re.M)
PRINTED = re.compile(rb"^\S.*: .*[\d\"]|^\S.*: .*(true|false)|^    .*: ", re.M)
WRONG = re.compile(rb"syntax error|warning -|rror: |not in namespace|undefined macro|illegal|"
                   rb"not currently|inappropriate|different size|has no instances|macro name")
PROCESSES = 2


@dataclasses.dataclass
class Outcome:
    case: object
    left_out: str = ""
    difference: str = ""  # a few lines; "" where all is equal
    statements: int = 0
    fired: bool = False
    printed: bool = False
    wrong: bool = False
    small: object = None
    kind: tuple = ()  # of difference


def first_difference(theirs, ours):
    if isinstance(ours, str):
        return f"our program {ours}"
    out = []
    for what, x, y in zip(("stdout", "stderr", "exit"), theirs, ours):
        if x != y and what == "exit":
            out.append(f"exit status {x}, ours {y}")
        elif x != y:
            lines = difflib.unified_diff(*(text.decode("latin-1").split("\n") for text in (x, y)),
                                         f"{what} of PCP", "ours", n=0, lineterm="")
            out += [line[:200] for line in list(lines)[:12]]
    return "\n".join(out)


def kind(theirs, ours):
    """What kind of difference it is: the outputs, and the first lines without names and numbers.
    A difference that is made small stays of its kind."""
    if isinstance(theirs, str) or theirs == ours:
        return ()
    if isinstance(ours, str):
        return (ours,)
    out = []
    for what, x, y in zip(("stdout", "stderr", "exit"), theirs, ours):
        if x != y and what == "exit":
            out.append((x, y))
        elif x != y:
            lines = itertools.zip_longest(x.split(b"\n"), y.split(b"\n"), fillvalue=b"<end>")
            pair = next(pair for pair in lines if pair[0] != pair[1])
            out.append((what, *map(masked, pair)))
    return tuple(out)


def masked(line):
    """NAME (TIME): 1 2 3, metrics and macros have other names in the next file."""
    line = re.sub(rb"^\S+( name\S*)? \(\w{3} \w{3} .*?\):", b"NAME:", line)
    line = re.sub(rb"^(print|shell|alarm|syslog|stomp) \w{3} \w{3} .{17}:(?! \(null\)).*",
                  rb"ACTION", line)
    line = re.sub(rb" of (file \S+|standard input)", b"", line)
    line = re.sub(rb"metric \S+|archive \S+|host \S+|\$\S+|\"[^\"]*\"", b"X", line)
    return re.sub(rb"(\b\S+ )(\1)+", rb"\1", re.sub(rb"-?\d[\d.e+-]*", b"N", line) + b" ")


@functools.cache
def subject(paths):
    return Subject(list(paths))


def outcome(seed, mode, ours, reducing):
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        case = random_case(lambda paths: subject(tuple(paths)), lists(), seed, mode)
        theirs = judged(case, folder)
        out = Outcome(case, statements=case.rules().count(";"))
        if isinstance(theirs, str):
            out.left_out = theirs
            mine = run(ours, case, folder)
            if mine in ("crashes", "hangs"):
                out.difference = f"left out ({theirs}), but our program {mine}"
            return out
        out.fired = bool(FIRED.search(theirs[0]))
        out.printed = bool(PRINTED.search(theirs[0]))
        out.wrong = bool(WRONG.search(theirs[1]))
        mine = run(ours, case, folder)
        out.difference, out.kind = first_difference(theirs, mine), kind(theirs, mine)
        if out.difference and reducing:
            out.small = reduce.reduced(case, lambda tried: out.kind == kind(
                judged(tried, folder), run(ours, tried, folder)))
            told = run(installed(), out.small, folder)
            out.difference = first_difference(told, run(ours, out.small, folder))
        return out


def outcomes(seeds, mode, ours, reducing):
    """In the order of the seeds."""
    work = functools.partial(outcome, mode=mode, ours=ours, reducing=reducing)
    with multiprocessing.Pool(PROCESSES) as pool:
        yield from pool.imap(work, seeds, chunksize=4)


class Summary:
    def __init__(self):
        self.files = self.statements = self.equal = self.different = 0
        self.shares, self.left_out = collections.Counter(), collections.Counter()
        self.kinds = collections.Counter()

    def add(self, out):
        self.files += 1
        self.statements += out.statements
        self.different += bool(out.difference)
        self.kinds[out.kind] += bool(out.difference)
        if out.left_out:
            self.left_out[out.left_out] += 1
            return
        self.equal += not out.difference
        for name in ("fired", "printed", "wrong"):
            self.shares[name] += getattr(out, name)

    def text(self):
        judged_files = max(1, self.files - sum(self.left_out.values()))
        part = {name: f"{100 * self.shares[name] / judged_files:.0f} %" for name in
                ("fired", "printed", "wrong")}
        return (f"{self.equal} of {judged_files} files equal, {self.statements} statements; in "
                f"{part['fired']} of the files a rule fired, {part['printed']} printed values, "
                f"{part['wrong']} had errors; {sum(self.left_out.values())} left out")
