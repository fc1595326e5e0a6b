"""A case: files, a command line and an environment; a random one from a seed. And what the two
programs make of it.

    case = random_case(subjects, 7, "default")     # or well-formed, listing
    run("pmie", case, folder)
"""

import atexit
import dataclasses
import functools
import pathlib
import random
import re
import shutil
import subprocess
import tempfile

from mistakes import Mistakes
from statements import Statements, definitions, derived_statement, layout
from subjects import ENVIRONMENT

SECONDS_MAX = 10
BYTES_MAX = 40 << 20
MODES = ["default", "well-formed", "listing"]
FILE, SECOND, DERIVED = "rules.pmie", "more.pmie", "derived.conf"
# Memory is filled when it is given back; the others show what depends on it (other_heaps).
HEAP = {"MALLOC_PERTURB_": "85"}
MAPPED = {"MALLOC_PERTURB_": "85",
          "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=256"}
FILLS = ["85", "170"]
LISTING = b"f " + FILE.encode() + b"\nl\nv\nq\n"


@dataclasses.dataclass
class Case:
    seed: int
    files: dict  # name: text
    arguments: list
    variables: dict
    archives: list
    texts: list  # names of metrics that are no numbers
    # And of counters of 32 bits with a sign that fall.
    signed_falling: list = dataclasses.field(default_factory=list)
    input: bytes = None

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    def rules(self):
        return "\n".join(text for name, text in self.files.items() if name != DERIVED)

    def command(self):
        words = [f"{name}={value}" for name, value in self.variables.items()]
        words += ["pmie", *(f"'{word}'" if re.search(r"[^\w./+-]", word) else word
                            for word in self.arguments)]
        return " ".join(words) + (f"   # stdin: {self.input!r}"
                                  if self.input and self.input == LISTING else "")


def when(pick, span):
    return pick.choice([f"{pick.uniform(0, span):.3f}", f"{pick.uniform(0, span):.1f}sec",
                        f"{pick.randint(0, max(1, int(span)))}"])


def window(pick, span):
    out = []
    if pick.random() < 0.92:
        step = max(span / pick.choice([2, 4, 6, 10, 10, 20, 20, 40]), 0.02)
        out += ["-t", pick.choice([f"{step:.3f}", f"{step:.2f}sec", f"{step / 60:.4f}min",
                                   f"{max(1, round(step))}"])]
    if pick.random() < 0.25:
        out += [pick.choice(["-S", "-S", "-O"]), pick.choice(["", "", "+"]) + when(pick, span / 2)]
    if pick.random() < 0.25:
        out += ["-T", pick.choice(["", "+", "-"]) + when(pick, span)]
    if pick.random() < 0.07:
        out += ["-A", pick.choice(["1sec", "5sec", "10sec", "1min", "0.5sec"])]
    return out


def output_options(pick):
    out = pick.choice([["-v"]] * 9 + [["-V"]] * 3 + [["-W"]] * 3 + [["-X"], ["-v", "-e"],
                                                                    ["-e"]] + [[]] * 7)
    for options, share in ((["-C"], 0.05), (["-q"], 0.06), (["-b"], 0.02), (["-f"], 0.02),
                           (["-z"], 0.03), (["-Z", "EST5EDT"], 0.02), (["-Z", "UTC"], 0.02),
                           (["-H"], 0.005)):
        out = [*out, *options] if pick.random() < share else out
    return out


def archive_options(pick, paths, variables):
    if pick.random() < 0.03:
        variables["PCP_ARCHIVE"] = ",".join(paths)
        return []
    if pick.random() < 0.15:
        return ["-a", ",".join(paths)]
    return [word for path in paths for word in ("-a", path)]


def random_case(subject_of, archives, seed, mode):
    pick = random.Random(seed)
    subject = subject_of(pick.choice(archives))
    statements = Statements(pick, subject).file()
    variables = {"PCP_DERIVED_CONFIG": ""}
    files = {}
    if mode != "listing" and pick.random() < 0.08 and subject.numbers:
        files[DERIVED], names = definitions(pick, subject)
        variables["PCP_DERIVED_CONFIG"] = DERIVED
        statements += [derived_statement(pick, name) for name in names]
    if pick.random() < 0.15:
        variables["PCP_COUNTER_WRAP"] = pick.choice(["", "1"])
    mistaken = mode != "well-formed" and pick.random() < 0.33
    if mistaken:
        statements = Mistakes(pick, subject).tokens(statements)
    text = layout(pick, statements)
    if mistaken and pick.random() < 0.3:
        text = Mistakes(pick, subject).characters(text)
    files[FILE] = text
    case = Case(seed, files, [], variables, subject.paths, [m.name for m in subject.texts],
                subject.signed_falling)
    options = window(pick, subject.span) + output_options(pick)
    paths = archive_options(pick, subject.paths, variables)
    if mode == "listing" or pick.random() < 0.03:
        return listing(pick, case, paths)
    return named_files(pick, case, paths + options if pick.random() < 0.5 else options + paths)


def listing(pick, case, paths):
    if pick.random() < 0.4:
        return case.but(arguments=["-C", *paths, FILE])
    return case.but(arguments=["-q", "-d", *paths], input=LISTING)


def named_files(pick, case, options):
    kind, files = pick.random(), case.files
    if kind < 0.07:
        return case.but(arguments=options, input=files.pop(FILE).encode("latin-1", "replace"))
    if kind < 0.2:
        return case.but(arguments=[*options, "-c", FILE])
    lines = files[FILE].split("\n")
    if kind < 0.27 and len(lines) > 3:
        half = len(lines) // 2
        files[FILE], files[SECOND] = "\n".join(lines[:half]), "\n".join(lines[half:])
        return case.but(arguments=[*options, FILE, SECOND])
    return case.but(arguments=[*options, FILE])


@functools.cache
def heap_library():
    made = tempfile.TemporaryDirectory()
    atexit.register(made.cleanup)
    library = pathlib.Path(made.name) / "heap.so"
    source = pathlib.Path(__file__).with_name("heap.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    return str(library)


def other_heaps():
    """Freed memory is gone, or every byte that is not the program's is another one."""
    return [MAPPED, *({"LD_PRELOAD": heap_library(), "HEAP_FILL": fill} for fill in FILLS)]


def run(program, case, folder, heap=None):
    """Standard output, standard error and exit status; or "hangs", "crashes", "floods". `heap`:
    what the C library does with memory that is taken and given back."""
    for name, text in case.files.items():
        (folder / name).write_bytes(text.encode("latin-1", "replace"))
    environment = ENVIRONMENT | case.variables | (heap or HEAP)
    given = {"input": case.input} if case.input is not None else {"stdin": subprocess.DEVNULL}
    try:
        done = subprocess.run([program, *case.arguments], capture_output=True, check=False,
                              cwd=folder, timeout=SECONDS_MAX, env=environment, **given)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode < 0:
        return "crashes"
    if len(done.stdout) > BYTES_MAX:
        return "floods"
    return plain(done.stdout), plain(done.stderr), done.returncode


def plain(raw):
    """Without what differs from run to run, and the version in the debugger's banner."""
    raw = re.sub(rb"\[[A-Z][a-z]{2} [A-Z][a-z]{2} [^]\n]*\] pmie\(\d+\)", b"[DATE] pmie(PID)", raw)
    return re.sub(rb"\(pmie\), Version .*", b"(pmie), Version @VERSION@", raw)


def installed():
    return shutil.which("pmie")
