"""Random definitions of derived metrics, for tests/shown/derived_differential.

A Node is an expression's text with what the checks of the specification (section 10) look at, so
that most definitions bind and the others break the rule that they mean to break. Mutants are made
of singular 32-bit operands only: whatever they come to mean touches no memory error of PCP 6.0.3.

Reading order: Node, the rules (binary, ternary), Expressions, Misfits, Malformed, Batch: the file
around the definitions. Example:

    batch = Batch(random.Random(7), metrics, instances)   # Nodes, and names by indom
    batch.text, batch.definitions
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


class Misfits(Expressions):
    """Expressions that parse but break a check of section 10."""

    def wrong(self):
        makers = [self.wrong_binary, self.wrong_ternary, self.wrong_call, self.wrong_name,
                  self.wrong_binary, self.wrong_ternary]
        for _ in range(40):
            node = self.pick.choice(makers)()
            if node.bad:
                break
        else:
            node = Node(self.pick.choice(UNKNOWN), bad=True)
        if self.pick.random() < 0.15:
            node = binary(self.pick.choice(list(LEVELS)), node, self.constant(), self.spaces)
        return node

    def any_operand(self):
        chance = self.pick.random()
        if chance < 0.6:
            return self.metric()
        return self.expression(1) if chance < 0.8 else self.made()

    def wrong_binary(self):
        left, op = self.any_operand(), self.pick.choice(list(LEVELS))
        if self.pick.random() < 0.35:
            return self.wrong_counter()
        if self.pick.random() < 0.4:
            right = self.metric(lambda m: m.units == left.units and m.sem == left.sem)
        elif self.pick.random() < 0.3:
            right = self.made("DOUBLE")
        else:
            right = self.any_operand()
        return binary(op, left, right or self.any_operand(), self.spaces)

    def wrong_counter(self):
        """A counter, and beside it what an operator does not allow."""
        counter = self.metric(lambda m: m.counter() and m.numeric()) or self.made(sem="counter")
        plain = self.metric(lambda m: not m.counter() and m.numeric() and any(m.dims()))
        other = self.pick.choice([
            counter, self.made(self.pick.choice(TYPES), "counter"), plain or self.constant(),
            self.made("U32", "instant", self.pick.choice(["Kbyte", "count", "sec"])),
            self.metric(lambda m: m.indom not in ("", counter.indom)) or self.constant()])
        pair = [counter, other]
        self.pick.shuffle(pair)
        return binary(self.pick.choice("+-**//"), *pair, self.spaces)

    def other_units(self, node):
        """Units of which exactly one dimension or scale is another."""
        units = [list(u) for u in node.units]
        if any(scale is None for _, scale in units):
            return None
        i = self.pick.randrange(3)
        if units[i][0] and i < 2:
            units[i][1] = (units[i][1] + 1) % 4
        else:
            units[i] = [units[i][0] + 1, 0]
        return print_units(units)

    def wrong_ternary(self):
        left, guard = self.any_operand(), self.expression(1)
        kind, sem, units = left.type, left.sem, print_units(left.units)
        chance = self.pick.random()
        if chance < 0.15:
            kind = self.pick.choice(TYPES)
        elif chance < 0.3:
            sem = self.pick.choice(["instant", "counter", "discrete"])
        elif chance < 0.6:
            units = self.other_units(left)
        elif chance < 0.75:
            guard = self.metric()
        elif chance < 0.85:
            guard, left = self.metric(lambda m: m.indom) or guard, self.constant()
            kind, sem, units = left.type, left.sem, ""
        elif left.indom:
            right = self.metric(lambda m: m.type == kind and m.indom not in ("", left.indom))
            return ternary(guard, left, right or self.constant(), self.spaces)
        right = self.made(kind, sem, units) if kind in TYPES and units is not None else left
        if self.pick.random() < 0.4:
            left, right = right, left
        return ternary(guard, left, right, self.spaces)

    def wrong_call(self):
        metric = self.metric()
        chance = self.pick.random()
        if chance < 0.15:
            timed = self.metric(lambda m: m.numeric() and m.units[1][0] not in (0, 1))
            return self.called("rate", timed or metric)
        if chance < 0.25:
            metric = self.metric(lambda m: not m.numeric()) or metric
            return prefix("-", metric, self.spaces)
        if chance < 0.45:
            name = self.pick.choice(["avg", "sum", "delta", "rate", "max", "min", "rate"])
            return self.called(name, metric)
        if chance < 0.6:
            return prefix("-", metric, self.spaces)
        units = self.pick.choice(UNITS)
        wrong = not metric.numeric() or metric.dims() != tuple(d for d, _ in parse_units(units))
        return metric.but(text=f'rescale({metric.text}, "{units}")', bad=wrong)

    def wrong_name(self):
        name = self.metric().text
        name = self.pick.choice([*UNKNOWN, name + ".x", name.rsplit(".", 1)[0], name.upper(),
                                 name.replace(".", "..", 1), name + "_", name + "."])
        unknown = Node(self.pick.choice(["", "", "delta(", "count(", "avg("]) + name, bad=True)
        if "(" in unknown.text:
            unknown.text += ")"
        return unknown if self.pick.random() < 0.5 else binary(
            self.pick.choice(list(LEVELS)), unknown, self.any_operand(), self.spaces)


SAFE_FUNCTIONS = ["avg", "count", "max", "min", "sum", "delta", "rate", "instant", "defined"]
TOKENS = ["+", "-", "*", "/", "(", ")", "?", ":", ",", "<", "<=", "==", ">=", ">", "!=", "&&", "||",
          "!", "=", "&", "|", "@", "%", ";", "#", "'", "$", "~", "type", "semantics", "units",
          "avg(", "count(", "max(", "min(", "sum(", "delta(", "rate(", "instant(", "rescale(",
          "scalar(", "mkconst(", "defined(", "avg", "mkconst", "matchinst", "Avg(", "1", "2.5",
          "4294967296", "99999999999", "1.2.3", '"byte"', '"x', "[x]", "[", '""', "32", "u64",
          "counter", ".", "a.", "novalue(", "no.such", "\\"]
SPLIT = re.compile(r'"[^"]*"|\[(?:[^]\\]|\\.)*\]|(?<=[(! ])/(?:[^/\\]|\\.)+/(?=,)|'
                   r"[A-Za-z][\w.]*\(?|[0-9.]+|<=|>=|==|!=|&&|\|\||\S")
BAD_VALUES = ["type=string", "type=U16", 'type=""', "semantics=sometimes", 'semantics="Counters"',
              "units=furlong", 'units="Kbyte Kbyte"', 'units="byte / / sec"', "units=Kbyte/sec",
              'units="sec^99"', 'units="count ^"', "TYPE=32", "indom=60.1", "meta=x", "type=",
              "type==32", "type=32 semantics=counter", "type=32,", ",type=32", "", "type", "= 32",
              'type="32', "units=[x]", "semantics=3.5", "type=1e3", 'units="x 10^3"',
              'units="0 sec"']
BAD_PATTERNS = ["[", "(", "*a", "a{2,1}", "a{1", "[b-a]", "[[:nope:]]", "\\\\", "a**", ")", "+",
                "a\\\\/", "[[.x", "a|*b", "{1}", "()", "(a", "a{99999}", "\\/["]


class Malformed:
    """Texts that mostly do not parse; what does has singular 32-bit operands."""

    def __init__(self, pick, metrics, instances):
        single = [m for m in metrics if m.type in ("32", "U32") and m.sem != "counter"
                  and not m.indom and not m.empty]
        self.pick, self.names = pick, [m.text for m in single] or ["no.such"]
        self.calm = [m.text for m in single if not any(m.dims())]
        self.calm += ["mkconst(3, type=32)"] * (not self.calm)

    def operand(self, words=True):
        if self.pick.random() < 0.5:
            return self.pick.choice(self.calm)
        return self.pick.choice(INTEGERS if words else INTEGERS + DOUBLES)

    def chain(self, depth=0):
        """Operators without parentheses: only precedence says what it means. Always well-formed."""
        either = self.pick.random() < 0.5  # `!` of a double or 64-bit value is defect 5
        operators = [op for op in LEVELS if op != "/" or not either]
        out = []
        for i in range(self.pick.randint(1, 6)):
            out += [self.pick.choice(operators)] if i else []
            while self.pick.random() < 0.2:
                out.append("!" if either and self.pick.random() < 0.5 else "-")
            if depth < 2 and either and self.pick.random() < 0.12:
                out += ["(", self.small_chain(depth + 1), ")"]
            else:
                out.append(self.operand(either))
        text = "".join(word + self.pick.choice([" ", " ", ""]) for word in out)
        if either and depth < 2 and self.pick.random() < 0.3:
            arms = [self.small_chain(depth + 1) for _ in range(2)]
            text += f"? {arms[0]} : {arms[1]}"
        return text

    def small_chain(self, depth):
        """A chain with `!` and without `/`."""
        words = [self.operand()]
        for _ in range(self.pick.randint(0, 2)):
            words += [self.pick.choice([op for op in LEVELS if op != "/"]),
                      self.pick.choice(["", "", "!", "-"]), self.operand()]
        text = " ".join(words)
        deeper = depth < 3 and self.pick.random() < 0.3
        return f"{text} ? {self.small_chain(depth + 1)} : {self.small_chain(depth + 1)}" \
            if deeper else text

    def seed(self):
        """One of each construct, to be broken."""
        a, b = self.operand(), self.operand()
        return self.pick.choice([
            f"{self.pick.choice(SAFE_FUNCTIONS)}({self.pick.choice(self.names)})",
            f"{self.pick.choice(SAFE_FUNCTIONS)}({self.pick.choice(self.names)}) + {b}",
            f"{self.pick.choice(SAFE_FUNCTIONS)}({a} + {b})", f'rescale({a}, "count")',
            f'rescale(mkconst({self.pick.choice(INTEGERS)}, units="Kbyte"), "byte")',
            f"scalar({a})", f"1 + ({a} * {b})", f"{a} ? {b} : {self.small_chain(2)}",
            f"matchinst(/x/, {a})", f"matchinst(! /x\\/y/, {a} + {b})", f"{a}[x]", f"- {a}",
            f'mkconst({self.pick.choice(INTEGERS)}, type=U32, semantics="instant", units=count)',
            "mkconst(2.5, type=double)", f"{a} && ! {b}", f"({a})", f"{a} < {b}",
            self.chain(), self.chain()])

    def mutant(self):
        words = SPLIT.findall(self.seed())
        for _ in range(self.pick.choice([1, 1, 1, 2, 3])):
            self.change(words)
        text = self.pick.choice([" ", " ", ""]).join(words)
        if self.pick.random() < 0.1 and text:
            at = self.pick.randrange(len(text))
            text = text[:at] + self.pick.choice(["", "", "$", "\"", ".", " "]) + text[at + 1:]
        return text

    def change(self, words):
        at = self.pick.randrange(len(words) + 1)
        how = self.pick.choice(["delete", "delete", "insert", "insert", "swap", "double", "cut",
                                "replace"])
        if how == "insert" or at == len(words):
            words.insert(at, self.token())
        elif how == "delete":
            del words[at]
        elif how == "cut":
            del words[at:]
        elif how == "double":
            words.insert(at, words[at])
        elif how == "replace":
            words[at] = self.token()
        else:
            other = self.pick.randrange(len(words))
            words[at], words[other] = words[other], words[at]

    def token(self):
        return self.operand() if self.pick.random() < 0.3 else self.pick.choice(TOKENS)

    def expression(self):
        chance = self.pick.random()
        if chance < 0.50:
            return self.mutant()
        if chance < 0.60:
            return " ".join(self.token() for _ in range(self.pick.randint(1, 7)))
        if chance < 0.70:
            number = self.pick.choice(["1", "7", "2.5", "-1", "x", "", "1.5"])
            return f"mkconst({number}, {self.pick.choice(BAD_VALUES)})"
        if chance < 0.75:
            return f"matchinst(/{self.pick.choice(BAD_PATTERNS)}/, {self.operand()})"
        if chance < 0.79:
            units = self.pick.choice(["furlong", "Kbyte Kbyte", "byte / / sec", "x", "sec^", "/",
                                      "sec / ", "1 2 sec", "-5 sec", "count x", "^2",
                                      "none"])
            return f'rescale({self.operand()}, "{units}")'
        op, other = self.pick.choice([*LEVELS, "?", ":", ")", "("]), self.pick.choice(list(LEVELS))
        return self.pick.choice([
            *[f"{op} {self.operand()}", f"{self.operand()} {op}", f"{op}{op}"] * 8,
            *[f"{self.operand()} {op} {other} {self.operand()}", f"({self.operand()} {op} )"] * 4,
            *[f"{self.pick.choice(SAFE_FUNCTIONS)}({self.pick.choice(['', '1', '(', 'x +'])}"] * 4,
            "mkconst(1.5, type=U32)", "mkconst(1.5, type=U64, semantics=counter)",
            "mkconst(2.5, type=64, units=count)", "5000000000", "",
            "mkconst(4294967296, type=64)", "1 + 2 3", '"abc"', "avg(avg(x))", "(", ")", "1 ? 2",
            "1 ? 2 :", "? 1 : 2", "! ", "1 +", "rescale(1, 2)", "rescale(", "matchinst(", "scalar(",
            "matchinst(/a/", "matchinst(/a/,", "matchinst(/a", "matchinst(/a/, 1 / 2)", "units",
            "count(1)", "instant(", "scalar(1", "x[", "x[a\\]", "x[y] z", "1 && ", "2 != ", "- ",
            "5 - "])


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
