"""What is left out: cases that touch a defect of the real program that ours is not to have (F
in the specification's list of quirks), or in which it dies, hangs or shows memory that is not its
own. Decided before our output is looked at.

    reason(case)        # from the rules alone: "string metrics as numbers (Q17)", or ""
    judged(case, folder)    # what the real program says, or why it is left out
"""

import re

from cases import installed, other_heaps, run
from expressions import RESERVED

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|
                       \$?[A-Za-z_%][\w.%]*|
                       \d[\w.]*|->|==|!=|<=|>=|&&|\|\||\.\.|\s+|.""", re.X | re.S)
COMMENT_OR_BLANK = re.compile(r"\s|//|/\*")
ARITHMETIC = {"+", "-", "*", "/", "<", "<=", ">", ">=", "rate", "instant"}
ENDED = re.compile(r"^'(\\.|[^'\\])*'$", re.S)
AGGREGATE = re.compile(r"(sum|avg|max|min)_(host|inst|sample)$")
POINTERS = "texts printed by -V, -W or of samples gone (Q16)"
ARITHMETIC_TEXTS = "string metrics as numbers (Q17)"
# Recorded without the 0 at its end (at 27 s): the real program reads on behind it.
ENDLESS_TEXT = "a text that is recorded without its end"
ENDLESS = {("value-test", "kernel.uname.release")}
# Where such a counter wraps between two records the library forgets the value before, and writes
# behind its own (archives.md).
SIGNED_WRAP = "signed 32-bit counter that wraps, with PCP_COUNTER_WRAP"
# The real program keeps the action, which is then done whatever there is; ours refuses the rule.
HALF_A_RULE = "a rule with an illegal pattern"
BAD_DELTA = "delta that is no positive number (Q23)"
UNENDED = "a quoted name without an end"
# A text, a number or their count that has been freed: a metric of a rule that a ruleset passes over
# keeps what was fetched before, and once its archive has ended that has been given back; a constant
# of a macro that is defined again (Q24).
FOREIGN_MEMORY = "the real program reads memory it does not own"
REDEFINED = "numeric macro that is referred to, and of another value later (Q24)"


def tokens_of(text):
    return [token for token in TOKEN.findall(text) if not COMMENT_OR_BLANK.match(token)]


def text_fetches(tokens, names):
    """Of each fetch of a string metric: the tokens before it, its qualifiers, those behind."""
    for at, token in enumerate(tokens):
        if token.strip("'") in names:
            end = at + 1
            while end + 1 < len(tokens) and tokens[end] in (":", "#", "@", ".."):
                end += 2
            yield tokens[:at], tokens[at + 1:end], tokens[end:]


def uses_text_wrongly(tokens, names):
    for before, _, behind in text_fetches(tokens, names):
        before = [token for token in before if token != "("]
        behind = [token for token in behind if token != ")"]
        last, following = (before or [""])[-1], (behind or [""])[0]
        if last in ARITHMETIC or following in ARITHMETIC or AGGREGATE.match(last):
            return True
    return False


def prints_pointers(case, tokens):
    compared = {"==", "!="}
    shown = {"-V", "-W"} & set(case.arguments)
    for before, qualifiers, behind in text_fetches(tokens, case.texts):
        free = not compared & {*before[-1:], *behind[:1]}
        if free and (shown or ("@" in qualifiers)):
            return True
    return False


def redefines(tokens):
    """A number that is referred to, and then another one. Some are there without being defined."""
    numbers, referred = set(RESERVED), set()
    for name, sign, value in zip(tokens, tokens[1:] + [""], tokens[2:] + ["", ""]):
        if name[1:] in numbers and name[0] == "$":
            referred.add(name[1:])
        elif sign == "=" and name.strip("'") in referred:
            return True
        elif sign == "=" and not value.startswith('"'):
            numbers.add(name.strip("'"))
    return False


def mentions(case, names):
    """Is one of these metrics in a file, in a macro or a definition, too?"""
    text = "\n".join(case.files.values()) + (case.input or b"").decode("latin-1")
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text) for name in names)


def all_tokens(case):
    return tokens_of(case.rules() + (case.input or b"").decode("latin-1"))


def reason(case):
    tokens = all_tokens(case)
    for first, sign, value, *_ in zip(tokens, tokens[1:], tokens[2:]):
        if first.strip("'") == "delta" and sign == "=" and (
                not value[0].isdigit() or not float(re.match(r"[\d]*\.?\d*", value)[0] or 0)):
            return BAD_DELTA
    if any(token[0] == "'" and not ENDED.search(token) for token in tokens):
        return UNENDED  # the real program takes the end of the file for its characters
    if redefines(tokens):
        return REDEFINED
    if any(path.endswith(f"/{name}") and mentions(case, [metric])
           for path in case.archives for name, metric in ENDLESS):
        return ENDLESS_TEXT
    if "PCP_COUNTER_WRAP" in case.variables and mentions(case, case.signed_falling):
        return SIGNED_WRAP
    if uses_text_wrongly(tokens, case.texts):
        return ARITHMETIC_TEXTS
    return POINTERS if prints_pointers(case, tokens) else ""


def keeps_half(case, said):
    illegal = {f'"{text}"' for text in re.findall('illegal regular expression "(.*)"', said)}
    statement = set()
    for token in [*all_tokens(case), ";"]:
        statement.add(token)
        if token == ";":
            if "->" in statement and illegal & statement:
                return True
            statement = set()
    return False


def judged(case, folder):
    left_out = reason(case)
    if left_out:
        return left_out
    told = run(installed(), case, folder)
    if isinstance(told, str):
        return f"the real program {told}" + (" (Q18)" if told == "crashes" else "")
    if any(told != run(installed(), case, folder, heap) for heap in other_heaps()):
        return FOREIGN_MEMORY
    return HALF_A_RULE if keeps_half(case, told[1].decode("latin-1")) else told
