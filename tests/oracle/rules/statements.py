"""Random rule files: statements as lists of tokens, and their layout.

    statements = Statements(random.Random(7), subject).file()
    text = layout(random.Random(7), statements)
"""

from expressions import RESERVED, Expressions, Shape, quoted

SELECTORS = [" %v", " %i", "%h:%i=%v", " %c", "%i:%v ", "@%h", "100% ", "%%", " %x", "%v%v"]
TEXTS = ["busy", "a b", "", "x\\ty", 'say \\"hi\\"', "it's", "back\\\\slash", "high", "load: "]
OPTIONS = [['"-p user.err"'], ['"-p warning"'], ['"-t tag"'], ['"-p"', '"info"'], ['"-t"', '"x"'],
           ['"-p nosuch.err"'], ['"-p user.nosuch"'], ['"-p info text"'], ['"-p 3"'],
           ['"-t tag"', '"-p local0.crit"']]


def tightness(last, token):
    """How often nothing stands between; a number swallows a minus, which mostly is no use."""
    if last[-1].isdigit() and token[0] == "-":
        return 0.04
    word = token[0].isalnum() or token[0] in "._$'%"
    return 0 if word and (last[-1].isalnum() or last[-1] in "._'") else 0.6


def layout(pick, statements):
    """Mostly blanks between tokens; in some files other white space, comments and less of it."""
    kind = pick.random()
    out = []
    for tokens in statements:
        line = ""
        for number, token in enumerate(tokens):
            gap = " "
            if kind < 0.25 and pick.random() < 0.15:
                gap = pick.choice(["\n", "  ", "\t", "\n\n", " // note\n", " /* note */ ", "\n  "])
            elif kind > 0.8 and number and pick.random() < tightness(tokens[number - 1], token):
                gap = ""
            line += (gap if number else "") + token
        out.append(line)
    return ("\n" if pick.random() < 0.9 else " ").join(out) + pick.choice(["\n", "\n", "\n", ""])


class Statements:
    def __init__(self, pick, subject):
        self.pick, self.subject = pick, subject
        self.make = Expressions(pick, subject)
        self.texts, self.used, self.reserved = [], [], pick.random() < 0.12

    def file(self):
        """2 to 12 statements, each with its terminator."""
        pick, out = self.pick, []
        for _ in range(pick.choice([0, 0, 0, 1, 2, 3])):
            out.append(self.macro())
        for _ in range(pick.randint(2, 9)):
            if pick.random() < 0.09:
                out.append(self.delta())
            out.append(self.statement())
        return [[*tokens, "}" if pick.random() < 0.01 else ";"] for tokens in out]

    def delta(self):
        step = max(self.subject.span / self.pick.choice([3, 5, 8, 10, 20]), 0.01)
        if self.pick.random() < 0.2:
            return ["delta", "=", f"{max(step / 60, 0.001):.3f}", "min"]
        return ["delta", "=", f"{step:.3f}", *self.pick.choice([[], ["sec"], ["seconds"]])]

    def fresh(self, name):
        while name in self.used:
            name += self.pick.choice("abcdef")
        self.used.append(name)
        return name

    def macro(self):
        pick, make, kind = self.pick, self.make, self.pick.random()
        name = self.fresh(pick.choice(["m", "n", "hosts", "x1", "limit", "q_1"]))
        if kind < 0.3 and self.subject.numbers:
            metric = pick.choice(self.subject.numbers).name
            make.names.append((name, metric))
            return [name, "=", f'"{metric}"']
        if kind < 0.6:
            make.variables.append(name)
            value, _ = make.constant(pick.choice([0, 1, 5, 100]))
            return [name, "=", *value, *pick.choice([[], [], ["*", "2"]])]
        hosts = "".join(f":{host} " for host in self.subject.hosts)
        text = pick.choice(["note", "a b", "%v", "%h %i", "> 3", hosts, "// x", "; y = 1",
                            "1 +", '\\"', "$", ""])
        self.texts.append(name)
        return [name, "=", f'"{text}"']

    def name(self):
        pick = self.pick
        if pick.random() < 0.25:
            return []
        name = pick.choice(["a", "b", "c", "r1", "cpu.load", "'odd name'", "%usr", "x_y",
                            "low\\-", "Rule"])
        if pick.random() < 0.02:
            name = "expr_2"  # which an unnamed one may have, too
        if pick.random() < 0.98:
            name = self.fresh(name) if name[-1] != "'" else f"'{self.fresh(name[1:-1])}'"
        return [name, "="]

    def statement(self):
        pick, make, kind = self.pick, self.make, self.pick.random()
        name = self.name()
        if kind < 0.36:
            return [*name, *self.rule()]
        if kind < 0.44:
            return [*name, *self.ruleset()]
        if kind < 0.58:
            shape = make.shape()
            return [*name, *make.number(shape, pick.choice([0, 1, 2, 3]))[0]]
        if kind < 0.80:
            return [*name, *make.boolean(make.shape(), pick.choice([1, 2, 3]))]
        if kind < 0.88:
            return [*name, *make.scalar(2)[0]]
        if kind < 0.95:
            return [*name, *make.condition(3)]
        return [*name, *self.rare()]

    def rare(self):
        pick, subject = self.pick, self.subject
        kind = pick.random()
        if kind < 0.4 and subject.texts:
            metric = pick.choice(subject.texts)
            return [quoted(metric.name)]
        if kind < 0.55 and self.reserved:
            return [f"${pick.choice(RESERVED)}"]
        if kind < 0.7:
            return [pick.choice(subject.refused) if subject.refused else "no.such.metric"]
        if kind < 0.8:
            return self.action(0)
        if self.reserved:
            return [f"${pick.choice(RESERVED)}", pick.choice(["<", ">", "=="]),
                    str(pick.choice([0, 1, 5, 12]))]
        return [*self.make.constant(3)[0], ">", "2"]

    def rule(self):
        tokens = self.make.condition(self.pick.choice([1, 2, 3]))
        if self.reserved and self.pick.random() < 0.3:
            tokens = [f"${self.pick.choice(RESERVED)}", ">=", "0", "&&", *tokens]
        if self.pick.random() < 0.15:
            tokens = ["(", *tokens, ")"]
        out = [*tokens, "->", *self.action(2)]
        return ["(", *out, ")"] if self.pick.random() < 0.03 else out

    def ruleset(self):
        out = ["ruleset", *self.rule()]
        for _ in range(self.pick.choice([0, 1, 1, 2])):
            out += ["else", *self.rule()]
        if self.pick.random() < 0.4:
            out += ["unknown", "->", *self.action(1)]
        if self.pick.random() < 0.5:
            out += ["otherwise", "->", *self.action(1)]
        return out

    def action(self, depth):
        pick = self.pick
        if depth and pick.random() < 0.25:
            left, right = self.action(depth - 1), self.action(depth - 1)
            out = [*left, pick.choice("&|"), *right]
            return ["(", *out, ")"] if pick.random() < 0.3 else out
        verb = pick.choice(["print"] * 12 + ["shell"] * 3 + ["alarm"] * 2 + ["syslog"] * 3)
        verb = "stomp" if pick.random() < 0.003 else verb
        hold = []
        if pick.random() < 0.25:
            step = self.subject.span / pick.choice([2, 5, 10])
            hold = pick.choice([[f"{step:.2f}", "sec"], [f"{step / 60:.3f}", "min"],
                                [f"{step:.2f}"], ["0"]])
        options = pick.choice(OPTIONS) if verb == "syslog" and pick.random() < 0.5 else []
        return [verb, *hold, *options, *(self.argument() for _ in range(pick.choice([1, 2, 2, 3])))]

    def argument(self):
        pick = self.pick
        text = pick.choice(TEXTS) if pick.random() < 0.4 else ""
        text += "".join(pick.choice(SELECTORS) for _ in range(pick.choice([0, 1, 1, 2])))
        if self.texts and pick.random() < 0.1:
            text += f"${pick.choice(self.texts)} "
        return f'"{text}"'


def definitions(pick, subject):
    """A file of derived metrics, and their names; PCP_DERIVED_CONFIG. Without max() and min():
    the real library makes something of no values."""
    out, names = [], []
    for number in range(pick.randint(1, 3)):
        metric = pick.choice(subject.numbers)
        same = [m for m in subject.numbers if m.indom == metric.indom and m.dims == metric.dims
                and m.counter == metric.counter]
        x, y = metric.name, pick.choice(same).name
        text = pick.choice([f"{x} + {y}", f"{x} * 2", f"sum({x})", f"count({x})",
                            f"delta({x})", f"rate({x})" if metric.counter else f"avg({x})",
                            f"instant({x})", f"{x} > {y} ? {x} : {y}", f"{x} + {y} +"])
        names.append(f"der.d{number}")
        out.append(f"der.d{number} = {text}\n")
    return "".join(out), names


def derived_statement(pick, name):
    shape = Shape(samples=pick.choice([(), (), (0, 2)]))
    at = ["@", "..".join(map(str, shape.samples))] if shape.samples else []
    return pick.choice([[f"{name[-2:]}x", "=", name, *at, ";"],
                        ["some_inst", name, ">", "1", "->", "print", '" %i=%v"', ";"]])
