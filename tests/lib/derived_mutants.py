"""Random expressions that libpcp refuses, most of them.

Misfits parse and break the rule that they mean to break (derived_expressions.py has the rules);
Malformed are mutants, which mostly do not parse. These are made of singular 32-bit operands only:
whatever they come to mean touches no memory error of PCP 6.0.3.
"""

import re

from derived_expressions import (
    DOUBLES, Expressions, INTEGERS, LEVELS, Node, TYPES, UNITS, UNKNOWN, binary, parse_units,
    prefix, print_units, ternary)


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
