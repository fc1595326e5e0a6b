"""The examples of the manual of rules (grammar/rules.md), run by the drop-in pmie and `pmjit run`.

A block ```samples holds the metrics and samples of all examples, as a case has them. Checked are

    | expression | 0s | 10s | … |     what `pmie -v` prints of it at these times
    | constant | value |              the number that pmie makes of it
    | refused | says |                a part of what pmie says of the statement

A block ```rules is a file. Tables after it, up to a heading or the next file, are read behind it. A
block ```events after it is what `pmjit run` tells of it (of rules that name no other host, and of
strict ones that reduce none, over the first host alone), ```prints what pmie prints (its actions),
```says what the reader says of it, ```checked what `pmjit check` does, ```differences what it does
with --differences. Times in these are those of
the recording: 22:13:20 is 0s.
"""

import os
import pathlib
import re
import subprocess
import tempfile

from manual_examples import Table, parts_of

NO_EXAMPLES = ("sh", "text", "heading")
VALUE = re.compile(r"^row(\d+) \(.* 22:(\d\d):(\d\d) 2023\): (.*)$", re.M)
START = 13 * 60 + 20  # minutes and seconds of 0s, which is 22:13:20
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.startswith(("PCP_", "PMCD_", "PMJIT_"))} | {"TZ": "UTC", "LC_ALL": "C"}


class RuleExamples:
    """Checks every example of a manual; `wrong` has a line for each that is not as it says."""

    def __init__(self, series_archive, pmjit, dropins, manual):
        # Not resolved: under which name the program runs decides what it is.
        self.writer, self.pmjit = os.path.abspath(series_archive), os.path.abspath(pmjit)
        self.pmie = os.path.join(os.path.abspath(dropins), "pmie")
        self.manual = manual
        self.count, self.wrong, self.texts = 0, [], []
        self.archives = []

    def check(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            rules = ""
            for part in parts_of(self.manual):
                rules = self._check_part(part, rules)
        return self

    def _check_part(self, part, rules):
        """The file that the next part is read behind."""
        if isinstance(part, Table):
            self._check_table(part, rules)
        elif part.kind == "samples":
            self._record(part)
        elif part.kind == "rules":
            self.texts.append(part.text)
            return part.text
        elif part.kind in ("events", "prints", "says", "checked", "differences"):
            self._check_output(part, rules)
        elif part.kind not in NO_EXAMPLES:
            self.wrong.append(f"line {part.line}: nothing checks a block of {part.kind}")
        return "" if getattr(part, "kind", "") == "heading" else rules

    def _record(self, block):
        case = "# the recording of the manual\n#: run: rules\n" + block.text
        done = self._run([self.writer, "."], case)
        self.archives = [f"-a{name[2:]}" for name in done.stdout.split()]
        if done.returncode != 0:
            self.wrong.append(f"line {block.line}: {done.stderr}")

    def _check_table(self, table, rules):
        checks = {("expression",): self._check_values, ("constant", "value"): self._check_constants,
                  ("refused", "says"): self._check_refusals}
        for head, check in checks.items():
            if tuple(table.head[:len(head)]) == head:
                self.count += len(table.rows)
                self.texts += [row.cells[0] for row in table.rows]
                check(table, rules)

    def _check_values(self, table, rules):
        times = [title for title in table.head if re.fullmatch(r"\d+s", title)]
        done = self._pmie(rules + statements(row.cells[0] for row in table.rows), "-v")
        told = values_of(done.stdout)
        for number, row in enumerate(table.rows):
            found = [told.get((number, int(time[:-1]))) for time in times]
            if found != row.cells[1:1 + len(times)]:
                self._blame(row, f"is {found}", done.stderr)
            elif done.stderr:
                self._blame(row, "is in a file that is refused", done.stderr)

    def _check_constants(self, table, rules):
        """A constant alone is no expression that is printed: it is added to nothing."""
        zero = "count_inst (disk.queue < 0) + "
        done = self._pmie(rules + statements(f"{zero}({row.cells[0]})" for row in table.rows), "-v")
        told = values_of(done.stdout)
        for number, row in enumerate(table.rows):
            if told.get((number, 0)) != row.cells[1]:
                self._blame(row, f"is {told.get((number, 0))}", done.stderr)

    def _check_refusals(self, table, rules):
        for row in table.rows:
            done = self._pmie(f"{rules}{row.cells[0]};\n", "-C")
            if row.cells[1] not in done.stderr or not row.cells[1]:
                self._blame(row, "is told", done.stderr)

    def _check_output(self, block, rules):
        self.count += 1
        reduces = "dialect=strict" in rules and "_host" in rules
        alone = "web2" not in rules and not reduces
        archives = self.archives[:1] if alone else self.archives
        if block.kind == "events":
            found = self._run([self.pmjit, "run", "-", *archives], rules).stdout
        elif block.kind == "checked":
            found = self._run([self.pmjit, "check", "-", *archives], rules).stderr
        elif block.kind == "differences":
            command = [self.pmjit, "check", "-", "--differences", *archives]
            found = self._run(command, rules).stderr
        elif block.kind == "prints":
            found = self._pmie(rules).stdout
        else:
            found = self._pmie(rules, "-C").stderr
        if found != block.text:
            self.wrong.append(f"line {block.line}: {block.kind} are\n{found}")

    def _pmie(self, rules, *options):
        if not self.archives:  # pmie would ask this machine's collector, and not end
            return subprocess.CompletedProcess([], 1, "", "there is no recording")
        return self._run([self.pmie, "-q", *options, *self.archives], rules)

    def _run(self, command, text):
        return subprocess.run(command, input=text, cwd=self.folder, env=ENVIRONMENT,
                              capture_output=True, text=True, check=False)

    def _blame(self, row, what, said):
        self.wrong.append(f"line {row.line}: `{row.cells[0]}` {what} {said}")


def statements(expressions):
    return "".join(f"row{number} = {text};\n" for number, text in enumerate(expressions))


def values_of(printed):
    """What `-v` printed, by row and seconds."""
    return {(int(row), int(minute) * 60 + int(second) - START): value
            for row, minute, second, value in VALUE.findall(printed)}


def words_without_example(texts, words_cc):
    """Words and signs of the language (compiler/compat/pmie/words.cc) that no example has."""
    missing = []
    plain = [re.sub(r'"(?:\\.|[^"])*"|//.*|\'[^\']*\'', "", text) for text in texts]
    tables = dict(re.findall(r"constexpr \w+ (k\w+)\[\] = \{\n(.*?)\n\};", words_cc, re.S))
    for name in ("kSigns", "kUnits", "kWords"):
        for word in re.findall(r'\{"([^"]+)",', tables[name]):
            if not any(has(word, text) for text in plain):
                missing.append(word)
    for word in re.findall(r'\{"([^"]+)",', tables["kOverDimension"]):
        if not any(re.search(rf"{word}_(host|inst|sample)\b", text) for text in plain):
            missing.append(word)
    return missing


def has(word, text):
    if not word[0].isalpha():
        return word in re.findall(r"->|[=!<>]=|&&|\|\||\.\.|[^\w\s]", text)
    return re.search(rf"(?<![\w.$]){word}s?(?![\w.])", text)
