"""Random definition files of derived metrics, for tests/shown/derived_differential.

What definitions are made of is in derived_expressions.py and derived_mutants.py. Example:

    batch = Batch(random.Random(7), metrics, instances)   # Nodes, and names by indom
    batch.text, batch.definitions
"""

import dataclasses
import re

from derived_expressions import Expressions
from derived_mutants import Malformed, Misfits

LEFT_OUT = {  # defects of PCP 6.0.3 that the specification says not to copy, seen in the text
    "anon() (19)": re.compile(r"\banon\("),
    "(expression)[instance] (matrix)": re.compile(r"\)\s*\["),
    "! of a float (5)": re.compile(r"![^=].*(avg\(|float)|(avg\(|float).*!($|[^=])", re.I | re.S),
}


def may_meet_nothing(text):
    """A record that has the other metric alone leaves max() and min() without values."""
    return (re.search(r"\b(max|min)\(", text) is not None
            and len(set(re.findall(r"[A-Za-z]\w*\.[\w.]+", text))) > 1)


@dataclasses.dataclass
class Definition:
    name: str
    text: str
    kind: str  # fit, chain, misfit or malformed
    once: bool = False
    last: bool = False  # a failed matchinst() leaves the scanner in pattern mode (defect 11)


class Batch:
    """A configuration file of 1 to 12 definitions, and sometimes a second one."""

    def __init__(self, pick, metrics, instances):
        self.pick, self.metrics, self.instances = pick, metrics, instances
        self.fits = Expressions(pick, metrics, instances)
        self.misfits = Misfits(pick, metrics, instances)
        self.malformed = Malformed(pick, metrics, instances)
        self.left_out, self.names = [], []
        self.definitions = [self.definition() for _ in range(pick.randint(1, 12))]
        self.definitions = [d for d in self.definitions if d]
        self.definitions.sort(key=lambda d: d.last)
        self.drop_names_above()
        while sum(d.last for d in self.definitions) > 1:
            self.definitions.pop()
        self.text = self.file(self.definitions)
        self.second = self.another() if pick.random() < 0.15 else None

    def another(self):
        """A second file, where nothing of the first may disturb it."""
        one = self.definition()
        above = one and any(name.startswith(one.name + ".") for name in self.names)
        if not one or above or one.last or any(d.last for d in self.definitions):
            return None
        return self.file([one])

    def name(self):
        if self.names and self.pick.random() < 0.06:
            return self.pick.choice(self.names) + self.pick.choice(["", "", ".x", "_z"])
        letter = self.pick.choice("abcdefghijklmnopqrstu")
        parts = ["t", letter + self.pick.choice(["", "", "_2", "Z", "9"])]
        if self.pick.random() < 0.2:
            parts.append(self.pick.choice("abc"))
        return ".".join(parts)

    def definition(self):
        name, chance = self.name(), self.pick.random()
        self.names.append(name)
        if chance < 0.62:
            node = self.fits.expression(self.pick.choice([0, 1, 1, 2, 2, 3, 3, 4]))
            made = Definition(name, node.text, "fit", node.once)
        elif chance < 0.70:
            made = Definition(name, self.malformed.chain(), "chain")
        elif chance < 0.83:
            made = Definition(name, self.misfits.wrong().text, "misfit", True)
        else:
            text = self.malformed.expression()
            made = Definition(name, text, "malformed", False, "matchinst(" in text)
        for reason, pattern in LEFT_OUT.items():
            if made.kind in ("malformed", "chain") and pattern.search(made.text):
                self.left_out.append(reason)
                return None
        if may_meet_nothing(made.text):
            self.left_out.append("max() or min() beside another metric (7)")
            return None
        return made

    def drop_names_above(self):
        """A leaf that is defined after names below it is defect 16."""
        seen, kept = set(), []
        for one in self.definitions:
            if any(name.startswith(one.name + ".") for name in seen):
                self.left_out.append("leaf defined after names below it (16)")
                continue
            seen.add(one.name)
            kept.append(one)
        self.definitions = kept

    def file(self, definitions):
        lines = []
        for one in definitions:
            if self.pick.random() < 0.12:
                lines.append(self.odd_line())
            gap = self.pick.choice([" ", " ", " ", "", "  ", "\t"])
            equals = "=" if self.pick.random() < 0.99 else self.pick.choice(["==", "= =", "", ":="])
            start = "" if self.pick.random() < 0.95 else self.pick.choice([" ", "\t"])
            end = "" if self.pick.random() < 0.95 else self.pick.choice([" ", "\r", "\t "])
            lines.append(f"{start}{one.name}{gap}{equals}{gap}{one.text}{end}")
            if self.pick.random() < 0.12:
                lines.append(self.attribute(one.name))
                again = self.pick.choice([lines[-1], self.attribute(one.name)])
                lines += [again] * (self.pick.random() < 0.3)
        if definitions and self.pick.random() < 0.02:
            lines.append(definitions[0].name + self.pick.choice([
                "(oneline) = 'never ends", "(helptext) = \"never\nends", "(oneline)='a \\' b"]))
        text = "\n".join(lines)
        return text + ("\n" if self.pick.random() < 0.97 else "")

    def attribute(self, name):
        name = self.pick.choice([name, name, name, "t.zz", "mem.free", name + ".q"])
        what = self.pick.choice(["oneline", "oneline", "helptext", "helptext", "Oneline", "help",
                                 "", " oneline ", "one line"])
        value = self.pick.choice([
            "plain text", "'quoted text'", '"quoted"', '"two\nlines"', '"with \\" and \\\\ in"',
            "", "''", '""', "'joined \\\nline'", '"text" and more', "it's", "a = b (c)", '"a"b',
            "  spaces  around  ", "'tail' ", "unicode \u00fc"])
        return self.pick.choice([f"{name}({what}) = {value}", f"{name}({what})={value}",
                                 f"{name} ( {what} ) = {value}", f"{name}({what} = {value}",
                                 f"{name}({what}) x = {value}", f"{name} {what}) = {value}",
                                 f"{name}({what}) {value}"]
                                if self.pick.random() < 0.3 else [f"{name}({what}) = {value}"])

    def odd_line(self):
        real = self.pick.choice(self.metrics).text
        long = "1" + " + 1" * self.pick.choice([60, 120, 300])
        return self.pick.choice([
            "# a comment", "#", "# t.a = 1", " # not a comment", "", "", "   ", "\t", "t.zq", "= 5",
            " = 5", "t.zr =", "t.zs = ", "9t.a = 1", "t.-b = 1", "t..c = 1", ".t = 1", "t.zt. = 1",
            "t zu = 1", "t.zv! = 1", "t.zw = 1 # tail", "t.zx == 1", "t.zy = = 1", "==", "=",
            f"{real} = 1", f"{real}.pct = 2", "(", "t.b(", "t.b) = 1", "(oneline) = x", "\\",
            "t.zl = 1 + \\", f"t.zo = {long}", f"t.zp = {long} +", "event.flags = 3",
            f"{real}(oneline) = of a real one", "t.zn = 1;", "t.zm\t=\t1", "\r", "t.zk=1"])
