"""The build that scripts of this folder look at if none is given: the newest, without sanitizers.

    python3 tests/shown/newest_build.py FILE      # the build folder that has the newest FILE
    python3 tests/shown/newest_build.py FILE any  # or one with sanitizers, where no other has it
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def is_sanitized(folder):
    cache = folder / "CMakeCache.txt"
    return cache.exists() and bool(re.search(r"(?m)^PMJIT_SANITIZE:\w+=.", cache.read_text()))


def newest_build(file="bin/pmjit", which="plain"):
    """The folder below build/ in which FILE was built last; build/bench where none has it. One with
    sanitizers is too slow to be measured: only `which` any takes it."""
    found = [(not is_sanitized(folder), path.stat().st_mtime, folder)
             for folder in ROOT.glob("build/*") if (path := folder / file).exists()]
    plain, _, folder = max(found, default=(False, 0, None))
    return folder if plain or (folder and which == "any") else ROOT / "build/bench"


def given_or_newest(file=""):
    """The first argument; without one FILE of the newest build, or that build."""
    return sys.argv[1] if len(sys.argv) > 1 else str(newest_build(file or "bin/pmjit") / file)


if __name__ == "__main__":
    print(newest_build(*sys.argv[1:]))
