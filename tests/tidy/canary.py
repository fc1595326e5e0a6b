"""Sees that every rule of tidy can fail: for each a small tree that breaks just this rule."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

LONG_FUNCTION = "int f() {\n" + "  ++n;\n" * 80 + "}\n"

# rule: the file that breaks it, its text
BREAKS = {
    "layers": ("runtime/base/a.h", '#include "compiler/ir/ir.h"\n'),
    "forbidden words": ("compiler/plan/a.cc", "llvm::Module* m;\n"),
    "lines a file": ("runtime/base/a.h", "\n" * 801),
    "lines a function": ("runtime/base/a.cc", LONG_FUNCTION),
    "columns": ("runtime/base/a.h", "//" + "x" * 100 + "\n"),
    "unfinished work": ("runtime/base/a.h", "// TO" + "DO write this\n"),
    "machine paths": ("runtime/base/a.h", 'auto p = "/' + 'tmp/mine";\n'),
    "built": ("runtime/base/lost.cc", "int lost;\n"),
    "a page a folder": ("runtime/base/a.h", ""),
    "links": ("README.md", "[there](nowhere.md)\n"),
    "format": ("runtime/base/a.h", "int   f( ) ;\n"),
}
STATIC = "namespace pmjit { int counter; int next() { return ++counter; } }\n"


def tidy(root, *options):
    command = [sys.executable, str(HERE / "tidy.py"), *options, str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def fires(rule, name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return f"{rule}: fine\n" not in tidy(folder)


def static_fires():
    with tempfile.TemporaryDirectory() as folder:
        source, compiled = pathlib.Path(folder, "a.cc"), pathlib.Path(folder, "a.o")
        source.write_text(STATIC)
        subprocess.run(["c++", "-c", source, "-o", compiled], check=True)
        library = pathlib.Path(folder, "libpmjit_canary.a")
        subprocess.run(["ar", "rcs", library, compiled], check=True)
        return "writable statics: 1\n" in tidy(folder, "--build", folder)


def main():
    silent = [rule for rule, (name, text) in BREAKS.items() if not fires(rule, name, text)]
    if not static_fires():
        silent.append("writable statics")
    for rule in silent:
        print(f"the rule `{rule}` did not fire")
    print(f"{len(BREAKS) + 1 - len(silent)} of {len(BREAKS) + 1} rules can fail")
    sys.exit(bool(silent))


main()
