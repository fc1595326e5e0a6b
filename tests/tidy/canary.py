"""Sees that every rule of tidy can fail: a small tree that all rules call fine, and for each rule
ways to break it. Then this rule has to complain, about this place, and no other rule."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Another file may declare Run, and have a Kind or a Rows within a type or a function.
TYPES = """#include "runtime/base/a.h"

namespace pmjit {

class Run;
using Rows = Run*;
class Run {
  enum class Kind : char { brace = '{' };  // }
};
using Closer = Ptr<Run, decltype([](Run* run) { close(run); })>;
template <class T>
struct Width;
template <>
struct Width<Run> {};
template <>
struct Width<Rows> : Base<int> {};

}  // namespace pmjit
"""
NO_NAMESAKES = """namespace {

class Run;
struct Kind {
  struct Rows {};
};
template <>
struct Width<Kind> {};
void f() {
  struct Run {};
}

}  // namespace
"""

# Texts for users that are too long, too wide, or in words of the compiler. What may be said of
# --dump, lines that are printed as they are, and examples in man pages are no sentences.
LONG, HALF = " ".join("w" * 21), " ".join("w" * 15)
WIDE = '"  ' + "w" * 39 + '"\n"' + "w" * 40 + '"'
FINE_HELP = f""".what = "{HALF}: "
         "{HALF}"
.names = "--dump", .what = "kernels of each stage"
.footer = "{HALF}.\\n  {LONG}\\n{HALF}"
.examples = {{"pmjit eval kernel.all.load", "{'w' * 60}"}}
"""
FINE_PAGE = f".SH NAME\n{HALF}\n.PP\n{HALF}.\n{HALF}.\n.nf\n{LONG}\n.fi\n"
OF_OPTION = '.names = "-x", .what = "{}",\n.more = "{}"\n'
VOICE = [
    ("a.def", OF_OPTION.format(LONG, "fine"), 1),
    ("a.def", OF_OPTION.format("fine", LONG), 2),
    ("a.def", OF_OPTION.format("all lanes", "fine"), 1),
    ("a.def", OF_OPTION.format("fine", "the kernel"), 2),
    ("a.def", f".footer = {WIDE}\n", 1),
    ("a.def", f".examples = {{\"pmjit\", {WIDE.replace(chr(34) + chr(10) + chr(34), '')}}}\n", 1),
    ("pages/a.1", f".SH NAME\n{HALF}\n.I {HALF}\n", 2),
    ("pages/a.5", ".SH NAME\nfine\n.PP\nby core operators\n", 4),
]

# Headers of the clean tree, and of those that break it, have two includers.
HEADERS = [
    "agent/pmcd/a.h",
    "compiler/a.h",
    "compiler/plan/a.h",
    "compiler/plan/one/a.h",
    "compiler/plan/two/a.h",
    "compiler/sema/a.h",
    "rules/cmd/a.h",
    "runtime/base/a.h",
]
USERS = "".join(f'#include "{header}"\n' for header in HEADERS)
FEWER_USERS = "".join(f'#include "{header}"\n' for header in HEADERS[:-1])

CLEAN = {
    ".clang-format": (HERE.parent.parent / ".clang-format").read_text(),
    "README.md": "[base](runtime/base/README.md)\n",
    "docs/README.md": "Short. `A piece of code " + "is one word " * 9 + "`.\n",
    "runtime/README.md": "",
    "runtime/base/README.md": "",
    "runtime/base/CMakeLists.txt": "pmjit_library(pmjit_base SOURCES a.cc)\n",
    "runtime/base/a.h": "#pragma once\n",
    "runtime/base/a.cc": TYPES,
    "agent/README.md": "",
    "agent/pmcd/README.md": "",
    "agent/pmcd/a.h": "#pragma once\n",
    "compiler/README.md": "",
    "compiler/plan/README.md": "",
    "compiler/plan/a.h": "#pragma once\n",
    "compiler/plan/one/a.h": '#include "compiler/plan/two/a.h"\n',
    "compiler/plan/two/a.h": "#pragma once\n",
    "rules/README.md": "",
    "rules/cmd/README.md": "",
    "rules/cmd/CMakeLists.txt": "pmjit_library(pmjit_cmd SOURCES a.cc)\n",
    "rules/cmd/a.cc": NO_NAMESAKES,
    "rules/cmd/help.def": FINE_HELP,
    "rules/cmd/pages/fine.1": FINE_PAGE,
    "rules/daemon_config/toml_tree.cc": "#include <toml++/toml.hpp>\n",
    "rules/daemon_config/CMakeLists.txt": "pmjit_library(pmjit_config SOURCES toml_tree.cc)\n",
    "rules/daemon_config/README.md": "",
    "tests/README.md": "",
    "tests/users.h": USERS,
    "tests/more_users.h": USERS,
    "tests/golden/README.md": "",
    "tests/golden/pmapi/README.md": "",
    "tests/golden/pmapi/more/units.tsv": "",
    "tests/golden/vectors/pmapi/README.md": "",
    "tests/golden/vectors/pmapi/units.tsv": "",
}

LAMBDA_ALIAS = "using Closer = Ptr<Run, decltype([](Run* run) { shut(run); })>;\n"
SPECIALISED = """template <class T>
struct Width;
template <>
struct Width<char> {};
"""
LONG_FUNCTION = "int f() {\n" + "  ++n;\n" * 80 + "}\n"
WRAPPED = f"int f{'f' * 80}(int one,\n{' ' * 86}int other) {{\n" + "  ++n;\n" * 80 + "}\n"
IN_A_CLASS = "class C {\n  int f() {\n" + "    ++n;\n" * 80 + "  }\n};\n"

# Ways to get at the time, and to change what the process takes for the time, without a Clock.
CLOCKS = [
    ("compiler/plan/a.h", "std::chrono::steady_clock::now()"),
    ("rules/cmd/a.h", "std::time(nullptr)"),
    ("rules/cmd/a.h", "time(nullptr)"),
    ("rules/cmd/a.h", "::time(&seconds)"),
    ("rules/cmd/a.h", "clock_gettime(CLOCK_REALTIME, &now)"),
    ("rules/cmd/a.h", "std::this_thread::sleep_for(pause)"),
    ("rules/cmd/a.h", "nanosleep(&pause, nullptr)"),
    ("agent/pmcd/a.h", "asio::steady_timer(io)"),
    ("agent/pmcd/a.h", "localtime_r(&seconds, &parts)"),
    ("agent/pmcd/a.h", "std::chrono::system_clock::now()"),
    ("rules/cmd/a.h", "::setenv(name, value, 1)"),
    ("rules/cmd/a.h", "tzset()"),
]

# rule, the file that breaks it, its text (none: the file is missing), what is complained of
BREAKS = [
    ("layers", "runtime/base/a.h", '#include "compiler/ir/ir.h"\n', "runtime/base/a.h:1"),
    ("layers", "compiler/a.h", "", "compiler/a.h"),
    ("layers", "rules/cmd/a.h", '#include "compiler/codegen/blocks.h"\n', "rules/cmd/a.h:1"),
    ("folder circles", "compiler/plan/two/a.h", '#include "compiler/plan/one/a.h"\n',
     "compiler/plan/one/a.h:1"),
    ("forbidden words", "compiler/plan/a.h", "llvm::Module* m;\n", "compiler/plan/a.h:1"),
    *(("forbidden words", file, f"auto t = {words};\n", f"{file}:1") for file, words in CLOCKS),
    ("forbidden words", "rules/cmd/a.cc", "#include <toml++/toml.hpp>\n", "rules/cmd/a.cc:1"),
    ("forbidden words", "tests/toml.h", "#include <toml++/toml.hpp>\n", "tests/toml.h:1"),
    ("lines a file", "runtime/base/a.h", "// x\n" * 801, "runtime/base/a.h"),
    ("lines a function", "runtime/base/a.cc", LONG_FUNCTION, "runtime/base/a.cc:1"),
    ("lines a function", "runtime/base/a.cc", WRAPPED, "runtime/base/a.cc:1"),
    ("lines a function", "runtime/base/a.cc", IN_A_CLASS, "runtime/base/a.cc:2"),
    ("small headers", "runtime/base/b.h", "// x\n" * 39, "runtime/base/b.h"),
    ("small headers", "tests/users.h", FEWER_USERS, "runtime/base/a.h"),
    ("columns", "tests/long.py", "#" + "x" * 100 + "\n", "tests/long.py:1"),
    ("type names", "rules/cmd/a.cc", "struct Run final : Rows {};\n", "runtime/base/a.cc:7"),
    ("type names", "rules/cmd/a.cc", "enum class Rows { all };\n", "runtime/base/a.cc:6"),
    ("type names", "rules/cmd/a.cc", "using Rows = Run;\n", "runtime/base/a.cc:6"),
    ("type names", "rules/cmd/a.cc", LAMBDA_ALIAS, "runtime/base/a.cc:10"),
    ("type names", "rules/cmd/a.cc", SPECIALISED, "runtime/base/a.cc:12"),
    ("unfinished work", "runtime/base/a.h", "// TO" + "DO write this\n", "runtime/base/a.h:1"),
    ("machine paths", "runtime/base/a.h", 'auto p = "/' + 'tmp/mine";\n', "runtime/base/a.h:1"),
    ("file names", "runtime/base/a.h", "// As b.h and base/a.h have it.\n", "runtime/base/a.h:1"),
    ("file names", "runtime/base/README.md", "`plan/lost.cc` and `*.cc`\n",
     "runtime/base/README.md:1"),
    ("file names", "runtime/README.md", "`tests/lost` and `tests/users`\n", "runtime/README.md:1"),
    ("file tables", "runtime/base/README.md", "| file | job |\n|-|-|\n| `a`, `lost` | x |\n",
     "runtime/base/README.md:3"),
    ("built", "runtime/base/lost.cc", "int lost;\n", "runtime/base/lost.cc"),
    ("a page a folder", "README.md", None, "there is no README.md"),
    ("a page a folder", "compiler/README.md", None, "compiler:"),
    ("a page a folder", "compiler/sema/a.h", "", "compiler/sema:"),
    ("a page a folder", "cmake/packages.txt", "", "cmake:"),
    ("a page a folder", "tests/golden/README.md", None, "tests/golden:"),
    ("a page a folder", "tests/golden/pmapi/README.md", None, "tests/golden/pmapi:"),
    ("a page a folder", "tests/golden/vectors/pmapi/README.md", None, "tests/golden/vectors:"),
    ("links", "README.md", "[there](nowhere.md)\n", "README.md:"),
    ("links", "tests/golden/README.md", "[there](nowhere.md)\n", "tests/golden/README.md:"),
    ("sentences", "docs/a.md", "One.\n\n- Two and\n" + "three " * 24 + ".\n", "docs/a.md:3"),
    ("sentences", "runtime/a/README.md", "three " * 26 + ".\n", "runtime/a/README.md:1"),
    ("phrases", "docs/a.md", "Mistakes are told.\n", "docs/a.md:1"),
    ("first screen", "README.md", "[base](runtime/base/README.md)\n\n" * 51, "README.md"),
    ("format", "runtime/base/a.h", "int   f( ) ;\n", "runtime/base/a.h"),
    *[("plain english", f"rules/cmd/{name}", text, f"rules/cmd/{name}:{line}:")
      for name, text, line in VOICE],
]
STATIC = "namespace pmjit { int counter; int next() { return ++counter; } }\n"


def tidy(root, *options):
    """Complaints by rule, as tidy prints them."""
    command = [sys.executable, str(HERE / "tidy.py"), *options, str(root)]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = {}
    for line in printed.splitlines():
        rule = re.fullmatch(r"([a-z ]+): (fine|\d+)", line)
        if rule:
            found[rule[1]] = []
        elif line.startswith("  "):
            found[list(found)[-1]].append(line.strip())
    return found


def plant(folder, files):
    for name, text in files.items():
        if text is None:
            continue
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def judge(label, found, rule, place):
    """What is wrong with `found`, where `rule` alone should complain of `place`."""
    others = [r for r, complaints in found.items() if complaints and r != rule]
    wanted = found.get(rule, [])
    if others:
        yield f"{label}: other rules complain: {', '.join(others)}"
    if len(wanted) != 1 or not wanted[0].startswith(place):
        yield f"{label}: `{rule}` should complain once, of {place}: {wanted or 'fine'}"


def broken_tree(rule, name, text, place):
    with tempfile.TemporaryDirectory() as folder:
        plant(folder, CLEAN | {name: text})
        yield from judge(f"{name} against `{rule}`", tidy(folder), rule, place)


def median_file(lines):
    """Twice as many headers of so many lines as the rest of the tree has files."""
    headers = {f"runtime/base/b{i}.h": "// x\n" * lines for i in range(2 * len(CLEAN))}
    with tempfile.TemporaryDirectory() as folder:
        plant(folder, CLEAN | headers)
        yield from judge(f"files of {lines} lines", tidy(folder), "median", "the median file")


def writable_static():
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as build:
        plant(folder, CLEAN)
        source, compiled = pathlib.Path(build, "a.cc"), pathlib.Path(build, "a.o")
        source.write_text(STATIC)
        subprocess.run(["c++", "-c", source, "-o", compiled], check=True)
        library = pathlib.Path(build, "libpmjit_canary.a")
        subprocess.run(["ar", "rcs", library, compiled], check=True)
        found = tidy(folder, "--build", build)
        yield from judge("a static", found, "writable statics", library.name)


def no_formatter():
    """Where the formatter is missing, the verdict says that nobody has looked."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        plant(folder, CLEAN)
        pathlib.Path(programs, "git").symlink_to(shutil.which("git"))
        command = [sys.executable, str(HERE / "tidy.py"), folder]
        printed = subprocess.run(command, env={"PATH": programs}, capture_output=True, text=True,
                                 check=False).stdout
        if "format: NOT DONE, " not in printed:
            yield "without clang-format tidy does not say so"


def main():
    with tempfile.TemporaryDirectory() as folder:
        plant(folder, CLEAN)
        clean = tidy(folder)
    wrong = [f"the clean tree: `{r}`: {c[0]}" for r, c in clean.items() if c]
    rules = {row[0] for row in BREAKS} | {"median"}
    wrong += [f"no canary for `{r}`" for r in clean if r not in rules]
    for row in BREAKS:
        wrong += broken_tree(*row)
    wrong += [*median_file(79), *median_file(151), *writable_static(), *no_formatter()]
    for line in wrong:
        print(line)
    print(f"{len(clean) + 1} rules, {len(BREAKS) + 4} canaries, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not clean)


main()
