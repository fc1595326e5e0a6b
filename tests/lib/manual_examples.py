"""The examples of the language manual (grammar/README.md) as cases for the case runner.

A block ```samples holds the metrics and samples of all examples, as a case has them. Checked are

    | expression | metadata | 10s | 20s |         as `explain --dump=types` has it; values
    | expression | pcp6 metadata | 10s | … |      libpcp's metadata; values
    | at 10s | strict | pcp6 | pcp7 | … |         values in each dialect, or what refuses it
    | sweep | values | 10s | … |                  values at each point, with ` ; ` between them
    | refused | code | instead |                  the diagnostic; `instead` compiles

A block ```definitions is a file that the tables after it use, up to the next one or a heading. A
block ```says after it has its diagnostics, a block ```formatted what `pmjit fmt` makes of it. A
block ```equivalent is a line of an indom.conf for the tables after it, up to a heading. Cells are
as in `expect result`; an empty one is not looked at, nor a column with another title.
"""

import pathlib
import re
import subprocess
import tempfile
from dataclasses import dataclass, field

NO_EXAMPLES = ("sh", "text")
DIALECTS = ("strict", "pcp6", "pcp7")
CODE = re.compile(r"[A-Z]\d\d")
TIME = re.compile(r"\d+s")
METADATA = re.compile(r": ((?:truth|text|[iuf]\d\d) (?:counter|instant|discrete)\b.*)$")
SIGNS = re.compile(r"&&|\|\||[<>=!]=|[-+*/<>!?:(),=]")
NOT_SIGNS = re.compile(r"""'(?:\\.|[^'])*'|"[^"]*"|\[(?:\\.|[^\]])*\]|(?<=\()!?/(?:\\.|[^/])*/""")


@dataclass
class Block:
    kind: str
    line: int
    text: str = ""


@dataclass
class Row:
    line: int
    cells: list


@dataclass
class Table:
    head: list
    rows: list = field(default_factory=list)
    definitions: str = ""
    equivalent: str = ""


def cells_of(line):
    cells = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return [cell.strip().strip("`").replace("\\|", "|") for cell in cells]


def parts_of(manual):
    """The blocks and tables, in order; a heading is a block that ends what came before it."""
    parts, fence, open_table = [], None, None
    for number, line in enumerate(manual.splitlines(), 1):
        if line.startswith("```"):
            if fence is None:
                fence = Block(line[3:].strip(), number)
                parts.append(fence)
            else:
                fence = None
        elif fence is not None:
            fence.text += line + "\n"
        elif line.startswith("|"):
            if open_table is None:
                open_table = Table(cells_of(line))
                parts.append(open_table)
            elif not re.fullmatch(r"[|:\- ]+", line):
                open_table.rows.append(Row(number, cells_of(line)))
            continue
        elif line.startswith("#"):
            parts.append(Block("heading", number))
        open_table = None
    return parts


def is_values(table):
    return table.head[0] == "expression" and table.head[1].endswith("metadata")


def is_dialects(table):
    return table.head[0].startswith("at ")


def is_sweep(table):
    return table.head[:2] == ["sweep", "values"]


def is_refusals(table):
    return table.head == ["refused", "code", "instead"]


class Examples:
    """Checks every example of a manual; `wrong` has a line for each that is not as it says. With
    `quick` the interpreter alone evaluates."""

    def __init__(self, runner, pmjit, manual, quick=False):
        self.runner, self.pmjit, self.manual = runner, pmjit, manual
        self.tags = "#: evaluators: interpreter\n" if quick else ""
        self.count, self.wrong = 0, []
        self.samples = ""

    def check(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self._check_parts(parts_of(self.manual))
        return self

    def _check_parts(self, parts):
        definitions = equivalent = ""
        for part in parts:
            if isinstance(part, Table):
                part.definitions, part.equivalent = definitions, equivalent
                self._check_table(part)
            elif part.kind == "samples":
                self.samples = part.text
            elif part.kind == "says":
                self._check_file(part, definitions)
            elif part.kind == "formatted":
                self._check_layout(part, definitions)
            elif part.kind == "equivalent":
                equivalent = part.text
            elif part.kind in ("definitions", "heading"):
                definitions = part.text
                equivalent = equivalent if part.kind == "definitions" else ""
            elif part.kind not in NO_EXAMPLES:
                self.wrong.append(f"line {part.line}: nothing checks a block of {part.kind}")

    def _check_table(self, table):
        for kind, check in ((is_values, self._check_values), (is_dialects, self._check_dialects),
                            (is_sweep, self._check_sweep),
                            (is_refusals, self._check_refusals)):
            if kind(table):
                self.count += len(table.rows)
                check(table)

    def _check_values(self, table):
        dialect = table.head[1].removesuffix("metadata").strip()
        for row in table.rows:
            _, out = self._run("sema", table, [row.cells[0]], "--- expect ir\n", dialect)
            lines = [line for line in out.get("ir" if dialect else "types", "").splitlines()
                     if METADATA.search(line)]
            found = METADATA.search(lines[-1])[1] if lines and out.get("ir") else None
            if found is None:
                self._blame(row, "does not compile:\n" + out["all"])
            elif found != row.cells[1]:
                self._blame(row, f"is {found}, the manual says {row.cells[1]}")
        times = [title for title in table.head if TIME.fullmatch(title)]
        values = [(row, row.cells[0], row.cells[2:2 + len(times)]) for row in table.rows]
        self._check_results(table, times, values, dialect)

    def _check_dialects(self, table):
        time = table.head[0].removeprefix("at ")
        for column, dialect in enumerate(table.head):
            if dialect not in DIALECTS:
                continue
            values = []
            for row in table.rows:
                expected = row.cells[column]
                if CODE.fullmatch(expected):
                    self._check_refused(table, row, row.cells[0], expected, dialect)
                else:
                    values.append((row, row.cells[0], [expected]))
            self._check_results(table, [time], values, dialect)

    def _check_sweep(self, table):
        """One root a point; the runner names them, the manual has them in their order."""
        times = [title for title in table.head if TIME.fullmatch(title)]
        for row in table.rows:
            values = "".join(f"{line}\n" for line in row.cells[1].split())
            _, out = self._run("eval", table, [row.cells[0]], f"--- sweep\n{values}",
                               window=f"{times[0]} {times[-1]}")
            found = [without_reason(line) for line in out.get("result", "").splitlines()
                     if line.startswith("t=")]
            points = [[value.strip() for value in cell.split(" ; ")] for cell in row.cells[2:]]
            wanted = [f"t={time} {value}" for point in zip(*points)
                      for time, value in zip(times, point)]
            if found != wanted:
                self._blame(row, f"gives {found}, the manual says {wanted}:\n{out['all']}")

    def _check_refusals(self, table):
        for row in table.rows:
            text, code, instead = row.cells
            self._check_refused(table, row, text, code)
            if instead:
                status, out = self._run("sema", table, [instead], "--- expect diag\n")
                if status != 0:
                    self._blame(row, f"`{instead}` is refused, too:\n{out['all']}")

    def _check_refused(self, table, row, text, code, dialect=""):
        expect = f"--- expect diag\n{code}\n"
        status, out = self._run("sema", table, [text], expect, dialect, prefix="fail_")
        if status != 0:
            self._blame(row, f"does not give {code} {dialect}:\n{out['all']}")

    def _check_file(self, block, definitions):
        self.count += 1
        table = Table([], [], definitions)
        expect = "--- expect diag\n" + block.text
        prefix = "fail_" if block.text.strip() else ""
        status, out = self._run("sema", table, [], expect, prefix=prefix)
        if status != 0:
            self.wrong.append(f"line {block.line}: the file says something else:\n{out['all']}")

    def _check_layout(self, block, definitions):
        self.count += 1
        done = subprocess.run([self.pmjit, "fmt", "-"], input=definitions, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0 or done.stdout != block.text:
            self.wrong.append(f"line {block.line}: fmt writes\n{done.stdout}{done.stderr}")

    def _check_results(self, table, times, rows, dialect=""):
        """One case for all rows: every cell of the runner's matrix must give these values."""
        if not rows:
            return
        expected = {text: [f"t={t} {v}" for t, v in zip(times, values) if v]
                    for _, text, values in rows}
        lines = [line for text, own in expected.items()
                 for line in (([f"[{text}]"] if len(rows) > 1 else []) + own)]
        expect = "--- expect result\n" + "\n".join(lines) + "\n"
        status, out = self._run("eval", table, list(expected), expect, dialect,
                                window=f"{times[0]} {times[-1]}")
        if status == 0:
            return
        actual = results_of(out.get("result", ""), list(expected))
        differ = [row for row in rows
                  if actual.get(row[1]) != [without_reason(line) for line in expected[row[1]]]]
        for row, text, _ in differ or rows:
            self._blame(row, f"gives {actual.get(text)} {dialect}, the manual says "
                             f"{expected[text]}")
        if not differ or not actual:
            self.wrong.append(out["all"])

    def _run(self, run, table, expressions, expect, dialect="", window="", prefix=""):
        """Exit status and the sections of the runner's dump; ["all"] is the whole output."""
        text = f"# an example of the manual\n#: run: {run}\n#: carriers: memory\n"
        text += self.tags
        if window:
            text += f"#: window: {window}\n"
        if dialect or table.definitions:
            text += f"#: dialect: {dialect or 'file'}\n"
        if table.equivalent:
            text += f"#: equivalent: {table.equivalent}"
        text += self.samples
        if table.definitions:
            text += "--- definitions\n" + table.definitions
        text += "".join(f"{line}\n" for line in ["--- expr", *expressions]) + expect
        path = self.folder / f"{prefix}example.case"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([self.runner, "--dump=all", path], capture_output=True, text=True,
                              check=False)
        sections = {"all": done.stdout + done.stderr}
        for section in ("\n" + done.stdout).split("\n--- ")[1:]:
            title, _, body = section.partition("\n")
            sections[title] = body
        return done.returncode, sections

    def _blame(self, row, what):
        self.wrong.append(f"line {row.line}: `{row.cells[0]}` {what}")


def results_of(text, expressions):
    """The lines of each root, reasons left out as the runner does."""
    text = text.split("\nFAILED ")[0]
    found, name = {}, expressions[0]
    for line in text.splitlines():
        if line.startswith("["):
            name = line[1:-1]
        else:
            found.setdefault(name, []).append(without_reason(line))
    return found


def without_reason(line):
    return re.sub(r" \(.*", "", line)


def words_without_example(manual, grammar, functions):
    """Words and signs of the grammar, and functions of libpcp, that no example has."""
    strict, compatible = [], []
    for table in (part for part in parts_of(manual) if isinstance(part, Table)):
        for row in table.rows:
            if is_dialects(table):
                cells = [c for c, d in zip(row.cells, table.head) if d.startswith("pcp")]
                if not all(CODE.fullmatch(cell) for cell in cells):
                    compatible.append(row.cells[0])
            elif (is_refusals(table) or is_sweep(table)
                  or (is_values(table) and table.head[1] == "metadata")):
                strict.append(row.cells[0])
    rules = re.sub(r"//.*", "", grammar)
    words = set(re.findall(r"'([a-z]+)'", rules))
    parser_rules = rules[:rules.index("MATCHINST :")]
    signs = set(re.findall(r"'([^a-z' ]+)'", parser_rules))
    used_signs = {sign for text in strict for sign in SIGNS.findall(NOT_SIGNS.sub("", text))}
    missing = [w for w in sorted(words) if not has_word(strict, w)]
    missing += sorted(signs - used_signs)
    for function in re.findall(r'^FUNCTION\(\w+, "(\w+)"', functions, flags=re.MULTILINE):
        if not has_word(compatible, function):
            missing.append(f"{function} in pcp6 or pcp7")
    return missing


def has_word(texts, word):
    return any(re.search(rf"\b{word}\s*[(=](?!=)", text) for text in texts)
