"""How many instructions a program executes inside a function, by valgrind's callgrind.

Counts are the same from run to run and, but for the compiler and the libraries, from machine to
machine, where times are not. glibc is held to what every x86-64 processor has, for its memcpy is
another one on each; valgrind itself knows no AVX-512.
"""

import collections
import pathlib
import re
import subprocess
import tempfile

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC", "PCP_DERIVED_CONFIG": "",
    # What is not known by one of these names is not chosen, either.
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM,"
                      "-AVX_Fast_Unaligned_Load:glibc.cpu.x86_non_temporal_threshold=0x4000000",
}
GENERATED = "???"  # the object of functions that are in no file
RECURSION = re.compile(r"'\d+$")


class Failed(Exception):
    """The program did not end well; its messages."""


def plain(name):
    """A function's name as its source file calls it."""
    return RECURSION.sub("", name).replace("(anonymous namespace)::", "").replace("pmjit::", "")


class Profile:
    """What was executed in each function, and on behalf of whom."""

    def __init__(self, lines):
        self.generated = 0  # in code that was made while the program ran
        self.called = collections.Counter()  # by caller and callee, without calls of itself
        caller = callee = found_in = ""
        is_call = False
        for line in lines:
            key, _, text = line.rstrip("\n").partition("=")
            if key == "fn":
                caller = plain(text)
            elif key == "ob":
                found_in = text
            elif key == "cfn":
                callee = plain(text)
            elif key == "calls":
                is_call = True
            elif line[:1].isdigit():
                count = int(line.split()[1])
                if is_call and callee != caller:
                    self.called[caller, callee] += count
                elif not is_call and found_in == GENERATED:
                    self.generated += count
                is_call = False

    def inside(self, function):
        """Instructions from entering to leaving it; none: it is never called. A name, or the
        beginning of name and arguments where there are several of that name. A lambda of the
        function bears its name too, and is inside of it already."""
        def is_it(name):
            return name.startswith(function) and not name[len(function):][:1].isalnum()
        counts = [count for (caller, callee), count in self.called.items()
                  if is_it(callee) and not is_it(caller)]
        return sum(counts) if counts else None


def profile(command, folder):
    with tempfile.NamedTemporaryFile("r", dir=folder) as out:
        done = subprocess.run(
            ["valgrind", "-q", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no",
             f"--callgrind-out-file={out.name}", *command],
            cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, check=False)
        if done.returncode != 0:
            raise Failed(done.stderr)
        return Profile(pathlib.Path(out.name).open(encoding="utf-8"))
