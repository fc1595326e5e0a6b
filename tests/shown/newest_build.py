"""What the scripts of this folder look at that are given no build: the newest one.

    python3 tests/shown/newest_build.py FILE      # the build folder that has the newest FILE
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def newest_build(file="bin/pmjit"):
    """The folder below build/ in which FILE was built last; build/bench where none has it."""
    found = sorted(ROOT.glob(f"build/*/{file}"), key=lambda path: path.stat().st_mtime)
    return ROOT / (found[-1].relative_to(ROOT).parents[-3] if found else "build/bench")


def given_or_newest(file=""):
    """The first argument; without one FILE of the newest build, or that build."""
    return sys.argv[1] if len(sys.argv) > 1 else str(newest_build(file or "bin/pmjit") / file)


if __name__ == "__main__":
    print(newest_build(*sys.argv[1:]))
