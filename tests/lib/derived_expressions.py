"""Random expressions of derived metrics, with a model of libpcp's checks.

A Node is an expression's text with what the checks of the specification (section 10) look at, so
that most definitions bind.

Reading order: Node, the rules (binary, ternary), Expressions. Example:

    node = Expressions(random.Random(7), metrics, instances).expression(3)   # of depth 3
    node.text, node.type, node.bad
"""

import dataclasses
import re

TYPES = ["32", "U32", "64", "U64", "FLOAT", "DOUBLE"]  # the later one wins in + - *
PINFO_TYPES = {"32-bit int": "32", "32-bit unsigned int": "U32", "64-bit int": "64",
               "64-bit unsigned int": "U64", "float": "FLOAT", "double": "DOUBLE"}
SCALES = [["byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte"],
          ["nanosec", "microsec", "millisec", "sec", "min", "hour"], ["count"]]
NONE = ((0, 0), (0, 0), (0, 0))  # (dimension, scale) of space, time, count; scale None: not known
LEVELS = {"&&": 2, "||": 2, "<": 4, "<=": 4, "==": 4, ">=": 4, ">": 4, "!=": 4, "+": 5, "-": 5,
          "*": 6, "/": 6}
INTEGERS = ["0", "1", "2", "3", "7", "10", "60", "100", "1000", "007", "65535", "65537",
            "2147483647", "2147483648", "4294967295"]
DOUBLES = [".", "5.", ".5", "0.0", "1.5", "3.14159", "100.0", "1000000.25", "00.50", "0.1"]
UNITS = ["byte", "Kbyte", "Mbyte", "sec", "millisec", "microsec", "min", "hour", "count",
         "Kbyte/sec", "count / sec", "byte / millisec", "sec / count", "Kbyte^2", "byte count",
         "10 sec", "100 Mbyte", "count x 10^3", ""]
UNKNOWN = ["no.such", "nosuch", "a..b", "a.b.", "Sample.long", "x", "DISK.dev.read"]
# Where a `/` divides nothing.
INSIDE = r'\[([^]\\]|\\.)*\]|"[^"]*"|(?<=[(! ])/([^/\\]|\\.)*/(?=,)'
PREFIX = 9  # level of a prefix expression: it may follow any operator


@dataclasses.dataclass
class Node:
    text: str
    type: str = "U32"
    sem: str = "discrete"
    indom: str = ""
    units: tuple = NONE
    level: int = 7
    tail: int = 7  # an operator tighter than this would go into the expression's end
    number: bool = False
    shape: str = ""  # which instances have values; "" singular
    empty: bool = False  # there may be no value
    once: bool = False  # PCP 6.0.3 frees its strings twice at the second fetch (defect 6)
    bad: bool = False  # does not bind

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    def numeric(self):
        return self.type in TYPES

    def counter(self):
        return self.sem == "counter"

    def dims(self):
        return tuple(dim for dim, _ in self.units)


def parse_units(text):
    """Of what pminfo prints or mkconst takes."""
    out = [[0, 0], [0, 0], [0, 0]]
    sign = 1
    for word in text.replace("/", " / ").split():
        if word == "/":
            sign = -1
            continue
        name, _, power = word.partition("^")
        for i, scales in enumerate(SCALES):
            if name in scales:
                out[i] = [sign * int(power or 1), scales.index(name)]
    if " x " in text or re.match(r"\d", text):
        out = [[dim, None if dim else 0] for dim, _ in out]
    return tuple(map(tuple, out))


def print_units(units):
    """As mkconst and rescale take it; None where a scale is not known."""
    parts = {1: [], -1: []}
    for (dim, scale), names in zip(units, SCALES):
        if dim and (scale is None or scale >= len(names)):
            return None
        if dim:
            parts[1 if dim > 0 else -1].append(
                names[scale] + (f"^{abs(dim)}" if abs(dim) > 1 else ""))
    below = " / " + " ".join(parts[-1]) if parts[-1] else ""
    return (" ".join(parts[1]) or ("1" if below else "")) + below


def mixes(left, right):
    """Dimensions that + and - accept."""
    none, count = (0, 0, 0), (0, 0, 1)
    return left == right or {left, right} == {none, count}


def breaks_binary(op, left, right):
    """Whether a check of section 10 refuses the node."""
    one = left.counter() != right.counter()
    plain = right if left.counter() else left
    if left.bad or right.bad or not (left.numeric() and right.numeric()):
        return True
    if left.indom and right.indom and left.indom != right.indom:
        return True
    if op in ("&&", "||"):
        return any(left.dims()) or any(right.dims())
    if op in ("*", "/"):
        both = left.counter() and right.counter()
        wrong = one and (any(plain.dims()) or (op == "/" and right.counter()))
        return both or wrong
    if op in ("+", "-"):
        return one or not mixes(left.dims(), right.dims())
    lax = "U32" in (left.type, right.type)
    return one and any(plain.dims()) or not (lax or mixes(left.dims(), right.dims()))


def binary_units(op, left, right):
    """Units of + - * /, and whether scales were converted (then the type is DOUBLE)."""
    base, out, converted = (right if left.number else left).units, [], False
    for i, ((ldim, lscale), (rdim, rscale)) in enumerate(zip(left.units, right.units)):
        dim, scale = base[i]
        if ldim and rdim and (lscale != rscale or lscale is None):
            converted, scale = True, None
        if op in ("*", "/"):
            dim = ldim + rdim if op == "*" else ldim - rdim
            scale = rscale if not ldim else scale if ldim and rdim else lscale
        out.append((dim, scale if dim else 0))
    return tuple(out), converted


def enclosed(text, spaces):
    return f"({spaces()}{text}{spaces()})"


def binary(op, left, right, spaces):
    level = LEVELS[op]
    bare_left = left.level >= level and left.tail >= level and left.level != PREFIX \
        or left.level == PREFIX and left.tail >= level
    bare_right = right.level > level
    text = (left.text if bare_left else enclosed(left.text, spaces)) + spaces() + op + spaces() \
        + (right.text if bare_right else enclosed(right.text, spaces))
    base = right if left.number else left
    sem = base.sem
    if not (left.counter() or right.counter()):
        sem = "discrete" if left.sem == right.sem == "discrete" else "instant"
    kind = max(left.type, right.type, key=lambda t: TYPES.index(t) if t in TYPES else -1)
    units, converted = binary_units(op, left, right)
    if level < 5:
        kind, units = "U32", NONE
    elif op == "/" or converted:
        kind = "DOUBLE"
    shape = left.shape if left.shape == right.shape or not right.shape else \
        right.shape if not left.shape else f"{left.shape}&{right.shape}"
    return Node(text, kind, sem, left.indom or right.indom, units, level,
                right.tail if bare_right else 7, shape=shape, empty=left.empty or right.empty,
                once=left.once or right.once, bad=breaks_binary(op, left, right))


def prefix(op, operand, spaces):
    level = {"-": 5, "!": 3}[op]
    bare = operand.level > level
    text = op + spaces() + (operand.text if bare else enclosed(operand.text, spaces))
    kind = {"U32": "32", "U64": "64"}.get(operand.type, operand.type) if op == "-" else operand.type
    return operand.but(text=text, type=kind, level=PREFIX, number=False,
                       sem="instant" if op == "-" else operand.sem,
                       tail=min(level, operand.tail if bare else 7),
                       bad=operand.bad or op == "-" and not operand.numeric())


def breaks_ternary(guard, left, right):
    return (guard.bad or left.bad or right.bad or left.type != right.type or left.sem != right.sem
            or left.units != right.units or not guard.numeric()
            or bool(left.indom and right.indom and left.indom != right.indom)
            or bool(guard.indom and not left.indom and not right.indom))


def ternary(guard, left, right, spaces):
    last = right.text if right.level > 1 else enclosed(right.text, spaces)
    text = guard.text + spaces() + "?" + spaces() + left.text + spaces() + ":" + spaces() + last
    nodes = (guard, left, right)
    return Node(text, left.type, left.sem, left.indom or right.indom, left.units, 1, 1,
                shape=left.shape or right.shape, empty=any(n.empty for n in nodes),
                once=any(n.once for n in nodes) or not left.numeric(),
                bad=breaks_ternary(guard, left, right))


def reads_beyond(left, right):
    """Arms over a domain of which one may have values that the other has not (defect 3)."""
    return bool(left.indom and right.indom) and left.shape != right.shape


class Expressions:
    """Well-formed expressions over `metrics`, Nodes of an archive, whose instances are known."""

    def __init__(self, pick, metrics, instances):
        self.pick, self.metrics, self.instances = pick, metrics, instances

    def spaces(self):
        return self.pick.choice([" ", " ", " ", " ", "", "", "  ", "\t"])

    def metric(self, *tests):
        found = [m for m in self.metrics if all(test(m) for test in tests)]
        return self.pick.choice(found) if found else None

    def constant(self):
        if self.pick.random() < 0.65:
            text = self.pick.choice([*INTEGERS, str(self.pick.randrange(5000))])
            return Node(text, number=True)
        return Node(self.pick.choice([*DOUBLES, f"{self.pick.uniform(0, 99):.3f}"]), "DOUBLE",
                    number=True)

    def spelled(self, value):
        """A tag's value as name or string, in any case."""
        value = self.pick.choice([value, value, value.lower(), value.title()])
        plain = re.fullmatch(r"[A-Za-z]\w*|\d+", value)
        return value if plain and self.pick.random() < 0.7 else f'"{value}"'

    def made(self, kind=None, sem=None, units=None):
        """mkconst(), by choice with what an operand has."""
        number = self.constant()
        tags = []
        if number.type == "DOUBLE" or kind or self.pick.random() < 0.6:
            kind = kind or self.pick.choice(
                ["FLOAT", "DOUBLE"] if number.type == "DOUBLE" else TYPES)
            tags.append(f"type={self.spaces()}{self.spelled(kind)}")
        if kind in TYPES[:4] and number.type == "DOUBLE":
            number = Node("12")
        if sem or self.pick.random() < 0.5:
            sem = sem or self.pick.choice(["counter", "instant", "discrete"])
            tags.append(f"semantics={self.spelled(sem)}")
        if units is not None or not tags or self.pick.random() < 0.3:
            units = self.pick.choice(UNITS) if units is None else units
            tags.append(f'units{self.pick.choice(["=", " = "])}"{units}"')
        self.pick.shuffle(tags)
        text = f"mkconst({number.text},{self.spaces()}{', '.join(tags)})"
        return Node(text, kind or number.type, sem or "discrete", number=True,
                    units=parse_units(units or ""))

    def alike(self, node):
        """An operand that fits beside `node`: a constant, another metric, the same again."""
        units = print_units(node.units)
        chance = self.pick.random()
        if chance < 0.4 and node.numeric() and units is not None:
            return self.made(node.type, node.sem, units)
        if chance < 0.8:
            found = self.metric(lambda m: m.type == node.type and m.sem == node.sem
                                and m.units == node.units and m.indom in ("", node.indom))
            return found or node
        return node

    def quoted(self, name):
        """An instance's name between brackets."""
        def one(char):
            return "\\" + char if char in "]\\" or self.pick.random() < 0.05 else char
        return "[" + "".join(map(one, name)) + "]"

    def instance(self):
        metric = self.metric(lambda m: m.indom) or self.metric()
        names = self.instances.get(metric.text, [])
        name = self.pick.choice(names) if names and self.pick.random() < 0.85 else \
            self.pick.choice(["nosuch", "", "0", "a b", "x/y", "a\\b]c"])
        if self.pick.random() < 0.1:
            name = name.split(" ")[0]
        return metric.but(text=metric.text + self.pick.choice(["", "", " "]) + self.quoted(name),
                          empty=True, shape=f"{metric.shape}[{name}" if metric.indom else "",
                          once=not metric.numeric())

    def leaf(self):
        chance = self.pick.random()
        if chance < 0.55:
            return self.metric(lambda m: m.numeric()) or self.constant()
        if chance < 0.60:
            return self.metric()
        if chance < 0.72:
            return self.instance()
        return self.constant() if chance < 0.87 else self.made()

    def pattern(self, node):
        names = [n for n in self.instances.get(node.shape, []) if n] or ["sda"]
        name = self.pick.choice(names).split(" ")[0]
        start = self.pick.randrange(len(name))
        part = name[start:start + self.pick.randint(1, 6)]
        safe = re.sub(r"[][.*+?(){}|^$]", lambda m: f"[{m[0]}]" if m[0] not in "[]^" else ".", part)
        safe = safe.replace("\\", ".").replace("/", "\\/")
        return self.pick.choice(["", "^"] if start == 0 else [""]) + self.pick.choice(
            [safe, safe, ".", f"{safe}|x", "[0-9]$", "a*", f"({safe})", "^.$", "\\\\.", ""])

    def call_of_name(self):
        name = self.pick.choice(["avg", "sum", "max", "min", "count", "delta", "delta", "rate",
                                 "rate", "instant", "defined"])
        metric = self.metric(lambda m: m.numeric()) or self.metric()
        if name in ("count", "instant", "defined") and self.pick.random() < 0.3:
            metric = self.metric()
        if name in ("max", "min"):
            metric = self.metric(lambda m: m.numeric() and not m.empty) or metric
            name = "sum" if metric.empty else name
        if name == "defined" and self.pick.random() < 0.4:
            return Node(f"defined({self.pick.choice(UNKNOWN)})")
        return self.called(name, metric)

    def called(self, name, metric):
        single = {"indom": "", "shape": "", "empty": False}
        known = {"avg": single | {"type": "FLOAT", "sem": "instant"}, "sum": single,
                 "max": single | {"sem": "instant"}, "min": single | {"sem": "instant"},
                 "count": single | {"type": "U32", "sem": "instant", "units": parse_units("count")},
                 "defined": single | {"type": "U32", "sem": "discrete", "units": NONE},
                 "instant": {"sem": "instant" if metric.counter() else metric.sem},
                 "delta": {"sem": "instant", "empty": True, "type": {
                     "U32": "64", "U64": "DOUBLE"}.get(metric.type, metric.type)},
                 "rate": {"sem": "instant", "empty": True, "type": "DOUBLE"}}[name]
        free = name in ("count", "defined", "instant")
        bad = not free and not metric.numeric()
        if name == "rate":
            space, (time, scale), count = metric.units
            bad = bad or time not in (0, 1)
            known["units"] = (space, (-1, 3) if time == 0 else (0, 0), count)
        shape = metric.shape and f"{name}({metric.shape})" if known.get("empty") else metric.shape
        text = f"{name}({self.spaces()}{metric.text}{self.spaces()})"
        return metric.but(**({"shape": shape} | known | {"text": text, "bad": bad}))

    def call(self, depth):
        inner = self.expression(depth - 1)
        chance = self.pick.random()
        if chance < 0.35 and inner.numeric():
            same = [u for u in UNITS if tuple(d for d, _ in parse_units(u)) == inner.dims()]
            units = self.pick.choice(same or [print_units(inner.units) or ""])
            text = f'rescale({inner.text},{self.spaces()}"{units}")'
            return inner.but(text=text, level=7, tail=7, number=False, units=parse_units(units),
                             bad=inner.bad or not same)
        if chance < 0.55 and (not inner.empty or self.pick.random() < 0.03):
            return inner.but(text=f"scalar({inner.text})", indom="", shape="", level=7, tail=7,
                             number=False, once=inner.once or not inner.numeric())
        divides = "/" in re.sub(INSIDE, "", inner.text)
        if divides or not inner.indom and self.pick.random() < 0.7:
            return self.call_of_name()
        no = self.pick.choice(["", "", "!", "! "])
        pattern = self.pattern(inner)
        return inner.but(text=f"matchinst({no}/{pattern}/,{self.spaces()}{inner.text})", level=7,
                         tail=7, number=False, empty=True, shape=f"{inner.shape}~{no}{pattern}",
                         once=inner.once or not inner.numeric())

    def two(self, depth):
        """Operator and operands that bind, if a few attempts find some."""
        for _ in range(12):
            op = self.pick.choice(["+", "-", "*", "/", "+", "-", "*", "/", *LEVELS])
            left = self.expression(depth - 1)
            right = self.alike(left) if self.pick.random() < 0.5 else self.expression(depth - 1)
            if self.pick.random() < 0.3:
                left, right = right, left
            if not breaks_binary(op, left, right):
                break
        return binary(op, left, right, self.spaces)

    def three(self, depth):
        for _ in range(12):
            guard, left = self.expression(depth - 1), self.expression(depth - 1)
            right = self.alike(left)
            if self.pick.random() < 0.4:
                left, right = right, left
            strings = not left.numeric()  # PCP 6.0.3 reads a length that nobody wrote
            if not (strings or breaks_ternary(guard, left, right) or reads_beyond(left, right)):
                return ternary(guard, left, right, self.spaces)
        return self.leaf()

    def expression(self, depth):
        """A Node that binds, as far as the rules here know."""
        chance = self.pick.random()
        if depth <= 0 or chance < 0.08:
            return self.leaf()
        if chance < 0.50:
            node = self.two(depth)
        elif chance < 0.70:
            node = self.call_of_name()
        elif chance < 0.83:
            node = self.call(depth)
        elif chance < 0.93:
            node = self.three(depth)
        else:
            inner = self.expression(depth - 1)
            negates = inner.type in ("32", "U32") and self.pick.random() < 0.5
            node = prefix("!" if negates else "-", inner, self.spaces)
        if node.bad and self.pick.random() < 0.9:
            return self.expression(depth - 1)
        if self.pick.random() < 0.08:
            node = node.but(text=enclosed(node.text, self.spaces), level=7, tail=7)
        return node
