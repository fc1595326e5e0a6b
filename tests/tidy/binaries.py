"""Writable statics, seen where they cannot hide: in object files. And clang-format's layout."""

import pathlib
import re
import shutil
import subprocess

from tree import NotDone, table

WRITABLE = re.compile(
    r"\s(\.(?:data|bss|tdata|tbss)(?!\.rel\.ro)\S*)\s+[0-9a-f]+\s+(?:\.hidden\s+)?(.+)$")
# What compilers, sanitizers and the coverage of fuzzers put there on their own.
NOT_OURS = re.compile(r"^\.|__asan|__odr_asan|__ubsan|__sanc|__tsan|\.gcov|^DW\.ref\.")
FORMATTER = "clang-format-19"


def check_statics(tree, here, build):
    """Our own archives in the build folder; generated parsers are somebody else's code."""
    allowed = [re.compile(l.split("  ")[0].strip()) for l in table(here / "statics.txt")]
    for library in sorted(pathlib.Path(build).glob("**/libpmjit_*.a")):
        if "generated" in library.name or "grammar" in library.name or "tests" in library.parts:
            continue
        for symbol in sorted(writable_symbols(names_read(output_of("objdump", "-t", library)))):
            if not any(a.search(symbol) for a in allowed):
                yield f"{library.name}: writable static `{symbol}` is not in tests/tidy/statics.txt"


def output_of(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def names_read(symbols):
    """clang numbers the parts of a static that it has split: no demangler knows such a name."""
    whole = re.sub(r"(\b_Z\w+)\.\d+$", r"\1", symbols, flags=re.MULTILINE)
    return output_of("c++filt", input=whole)


def writable_symbols(text):
    for line in text.splitlines():
        match = WRITABLE.search(line)
        if match and not NOT_OURS.search(match[2]) and match[2] != match[1]:
            yield match[2]


def check_format(tree, _here):
    if not shutil.which(FORMATTER):
        raise NotDone(f"{FORMATTER} is not installed")
    names = [n for n in tree.sources() if n.endswith((".h", ".cc"))]
    if not names:
        return
    command = [FORMATTER, "--dry-run", "-Werror", *names]
    result = subprocess.run(command, cwd=tree.root, capture_output=True, text=True, check=False)
    for name in sorted(set(re.findall(r"^([^:\n]+):\d+:\d+: error:", result.stderr, re.M))):
        yield f"{name}: not as {FORMATTER} lays it out"
