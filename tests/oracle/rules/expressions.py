"""Random expressions of the rule language, as lists of tokens that print with blanks between.

A Shape says which hosts, instances and samples an expression is to have, so that operands fit each
other and most statements are accepted. What makes a number is returned with a guess of its value,
near which thresholds lie.

Reading order: Shape, Expressions.number, .boolean, .condition. Example:

    Expressions(random.Random(7), subject).condition(3)      # ['some_inst', '(', 'disk.busy', …
"""

import dataclasses
import re

RESERVED = ["delta", "minute", "hour", "day", "month", "year", "day_of_week"]
SPACE = [("byte", 1), ("Kbyte", 1024), ("Mbytes", 1 << 20), ("Gbyte", 1 << 30), ("Tbyte", 1 << 40)]
TIME = [("nsec", 1e-9), ("usec", 1e-6), ("microseconds", 1e-6), ("msec", 1e-3), ("sec", 1),
        ("second", 1), ("min", 60), ("minutes", 60), ("hours", 3600)]
COUNT = [("count", 1), ("Kcount", 1000), ("Mcounts", 1e6)]
COMPARED = ["<", "<=", ">", ">=", "==", "!="]
COMPARED_OFTEN = ["<", ">", ">", ">=", "<=", *COMPARED]
BARE = re.compile(r"[A-Za-z][\w.]*$")
WORDS = {"min", "max", "count", "sec", "hour", "true", "false", "print", "rate", "instant"}


def quoted(name):
    """A name as a token; ' and \\ are written with a backslash."""
    if BARE.match(name) and name not in WORDS:
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("$", "\\$") + "'"


def literal(value):
    text = f"{value:.6g}"
    return text.replace("e+", "e") if "e" in text else text


@dataclasses.dataclass
class Shape:
    hosts: tuple = ()  # none: that of the first archive
    domain: str = ""  # "": singular metrics
    listed: tuple = ()  # the instances named with #
    samples: tuple = ()  # of @; one number or two

    def dims(self):
        out = ["inst"] if self.domain else []
        out += ["host"] if len(self.hosts) > 1 else []
        return out + (["sample"] if len(self.samples) == 2 else [])


class Expressions:
    def __init__(self, pick, subject):
        self.pick, self.subject = pick, subject
        self.names, self.macros, self.variables = [], [], []  # text and numeric macros' names
        self.loose = 0.02  # how often shapes are not asked for

    def chance(self, share):
        return self.pick.random() < share

    def shape(self, singular=0.35):
        subject, pick = self.subject, self.pick
        domains = list(subject.domains)
        domain = pick.choice(domains) if domains and not self.chance(singular) else ""
        if not domain and not subject.singular:
            domain = pick.choice(domains) if domains else ""
        hosts = ()
        if len(subject.hosts) > 1 and self.chance(0.5):
            hosts = tuple(pick.sample(subject.hosts, pick.randint(1, len(subject.hosts))))
        elif subject.hosts and self.chance(0.05):
            hosts = (subject.hosts[0],)
        listed = ()
        if domain and self.chance(0.25):
            known = pick.choice(subject.domains[domain]).instances
            listed = tuple(pick.sample(known, min(len(known), pick.choice([1, 1, 2, 3]))))
        samples = ()
        if self.chance(0.22):
            low = pick.choice([0, 0, 0, 1, 2])
            samples = pick.choice([(low,), (low, low + pick.choice([1, 2, 2, 4]))])
        return Shape(hosts, domain, listed, samples)

    def any_shape(self, shape):
        return self.shape() if self.chance(self.loose) else shape

    # numbers: tokens, guess

    def metric(self, shape):
        known = self.subject.domains[shape.domain] if shape.domain else self.subject.singular
        return self.pick.choice(known) if known else None

    def qualifiers(self, shape):
        out = []
        for host in shape.hosts:
            out += [":", quoted(host)]
        for instance in shape.listed:
            first = instance.split(" ")[0]
            out += ["#", quoted(first if self.chance(0.1) and first else instance)]
        if shape.samples:
            numbers = list(map(str, shape.samples))
            out += ["@", "..".join(numbers if not self.chance(0.05) else numbers[::-1])]
        return out

    def fetch(self, shape):
        metric = self.metric(shape)
        if metric is None:
            return self.constant(1)
        name = quoted(metric.name)
        if self.chance(0.03):
            name = f"'{metric.name}'"
        for macro, value in self.names:
            if value == metric.name and self.chance(0.5):
                name = f"${macro}"
        return [name, *self.qualifiers(shape)], self.pick.choice(metric.values)

    def constant(self, guess):
        """Near the guess, often with units that say the same."""
        if self.variables and self.chance(0.08):
            return [f"${self.pick.choice(self.variables)}"], guess
        if self.chance(0.03):
            return self.pick.choice([["1e3"], ["1e-2"], [".5"], ["5."], ["1e+1"], ["007"],
                                     ["2", "-1"], ["0"]]), 1
        value = guess * self.pick.choice([1, 1, 1, 0.5, 0.9, 1.1, 2, 0.99])
        if value == 0 or self.chance(0.08):
            value = self.pick.choice([0, 0, 1, 2, 0.5, 10, 100])
        units, scale = self.units()
        text = literal(abs(value) / scale)
        sign = ["-"] if value < 0 else []
        return [*sign, text, *units], value

    def units(self):
        if not self.chance(0.3):
            return [], 1
        unit, scale = self.pick.choice(self.pick.choice([SPACE, TIME, COUNT]))
        if self.chance(0.3):
            per, time = self.pick.choice(TIME)
            return [unit, "/", per], scale / time
        if self.chance(0.05):
            return [unit + "^2"], scale * scale
        return [unit], scale

    def number(self, shape, depth):
        if depth <= 0 or self.chance(0.35):
            return self.fetch(shape)
        kind = self.pick.choice(["binary"] * 6 + ["minus", "rate", "rate", "instant", "paren"])
        if kind == "binary":
            return self.arithmetic(shape, depth)
        tokens, guess = self.number(shape, depth - 1)
        if kind == "paren" or self.chance(0.5):
            tokens = ["(", *tokens, ")"]
        if kind == "paren":
            return tokens, guess
        if kind == "rate":
            return ["rate", *tokens], guess / self.subject.span
        return [{"minus": "-"}.get(kind, kind), *tokens], -guess if kind == "minus" else guess

    def arithmetic(self, shape, depth):
        left, x = self.number(shape, depth - 1)
        kind = self.pick.random()
        if kind < 0.4:
            right, y = self.number(self.any_shape(shape), depth - 1)
        elif kind < 0.6:
            right, y = self.scalar(depth - 1)
        else:
            right, y = self.constant(x)
        if self.chance(0.3):
            left, right, x, y = right, left, y, x
        if len(right) > 2 and self.chance(0.7):
            right = ["(", *right, ")"]
        if len(left) > 2 and self.chance(0.3):
            left = ["(", *left, ")"]
        sign = self.pick.choice("++--**//")
        guess = {"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else x}[sign]
        return [*left, sign, *right], max(min(guess, 1e15), -1e15)

    def scalar(self, depth):
        """A number without more than one value."""
        if self.chance(0.25):
            return self.constant(1)
        shape = self.shape(0.3)
        if len(shape.hosts) > 1 and not shape.domain:
            shape.hosts = shape.hosts[:1]
        dims = shape.dims()
        if not dims and self.chance(0.7):
            return self.fetch(shape)
        if "inst" not in dims and self.chance(0.1):
            dims.append("inst")
        if self.chance(0.15):
            self.pick.shuffle(dims)
        if self.chance(0.15):
            tokens, guess = self.boolean(shape, depth - 1), 1
            tokens = [f"count_{dims.pop(0) if dims else 'inst'}", "(", *tokens, ")"]
        else:
            tokens, guess = self.number(shape, depth - 1)
        for dim in dims:
            if len(tokens) > 2 and self.chance(0.6):
                tokens = ["(", *tokens, ")"]
            tokens = [f"{self.pick.choice(['sum', 'avg', 'max', 'min'])}_{dim}", *tokens]
        return tokens, guess

    # truth values: tokens

    def relation(self, shape, depth):
        if self.subject.texts and self.chance(0.08):
            return self.text_relation()
        left, guess = self.number(shape, depth - 1)
        kind = self.pick.random()
        if kind < 0.7:
            right, _ = self.constant(guess)
        elif kind < 0.85:
            right, _ = self.scalar(depth - 1)
        else:
            right, _ = self.number(self.any_shape(shape), depth - 1)
        if self.chance(0.12):
            left, right = right, left
        sign = self.pick.choice(COMPARED_OFTEN)
        return [*left, sign, *right]

    def text_relation(self):
        metric = self.pick.choice(self.subject.texts)
        shape = Shape(listed=(self.pick.choice(metric.instances),)
                      if metric.instances and self.chance(0.6) else ())
        text = self.pick.choice([*metric.values[:9], "", "up", "x y"])
        sides = [[quoted(metric.name), *self.qualifiers(shape)], [f'"{text}"']]
        if self.chance(0.15):
            sides.reverse()
        return [*sides[0], self.pick.choice(["==", "!="]), *sides[1]]

    def pattern(self, shape):
        known = []
        if shape.domain:
            known = self.pick.choice(self.subject.domains[shape.domain]).instances
        name = self.pick.choice(known or ["x"])
        name = re.sub(r"[^\w ./-]", ".", name)
        return self.pick.choice([
            f'"{name}"', f'"^{name[:2]}"', f'"{name[-1:]}\\$"', '"[0-9]"', '".*"', '"^[a-m]"',
            f'"{name[:1]}|{name[-1:]}"', '"(a|b)+"', '"[^0-9]"', '"\\\\."',
            '""' if self.chance(0.3) else '"x"', '"[a"' if self.chance(0.1) else '"o"'])

    def boolean(self, shape, depth):
        if depth <= 0 or self.chance(0.45):
            return self.relation(shape, min(depth, 2))
        kind = self.pick.choice(["pair"] * 4 + ["!", "rising", "falling", "match", "match", "word"])
        if kind == "word":
            return [self.pick.choice(["true", "false"])]
        if kind == "match" and self.metric(shape) is None:
            kind = "!"  # match_inst of what has no metric is the real program's end
        inner = self.boolean(shape, depth - 1)
        if kind == "pair":
            other = (self.boolean(self.any_shape(shape), depth - 1) if self.chance(0.6)
                     else self.condition(depth - 1))
            if self.chance(0.3):
                inner, other = other, inner
            inner = ["(", *inner, ")"] if self.chance(0.4) else inner
            other = ["(", *other, ")"] if self.chance(0.4) else other
            return [*inner, self.pick.choice(["&&", "||"]), *other]
        inner = ["(", *inner, ")"] if self.chance(0.6) else inner
        if kind == "match":
            verb = self.pick.choice(["match_inst", "match_inst", "nomatch_inst"])
            return [verb, self.pattern(shape), *inner]
        return [kind, *inner]

    def quantifier(self, dim):
        share = self.pick.choice([0, 1, 16, 17, 25, 33, 49, 50, 50, 66.7, 80, 99, 100, 120])
        return self.pick.choice([[f"all_{dim}"], [f"some_{dim}"], [f"some_{dim}"],
                                 [literal(share), f"%_{dim}"]])

    def condition(self, depth):
        """A single truth value."""
        if depth > 1 and self.chance(0.25):
            left, right = self.condition(depth - 1), self.condition(depth - 1)
            right = ["(", *right, ")"] if self.chance(0.4) else right
            return [*left, self.pick.choice(["&&", "&&", "||"]), *right]
        if self.chance(0.25):
            left, guess = self.scalar(depth - 1)
            return [*left, self.pick.choice(COMPARED_OFTEN), *self.constant(guess)[0]]
        shape = self.shape(0.3)
        tokens, dims = self.boolean(shape, depth - 1), shape.dims()
        if "inst" in dims and self.chance(0.1):
            self.pick.shuffle(dims)
        if not dims and self.chance(0.1):
            dims = [self.pick.choice(["inst", "host", "sample"])]
        for dim in dims:
            tokens = ["(", *tokens, ")"] if self.chance(0.6) else tokens
            tokens = [*self.quantifier(dim), *tokens]
        return tokens
