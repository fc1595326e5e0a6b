"""What can be counted of plain English in texts that users read: tables of help in rules/cmd and
man pages. How a sentence should read is for people to judge; how long it is, is not."""

import re

SENTENCE_WORDS_MAX = 20
HELP_COLUMNS_MAX = 80
# Words of the compiler, which tell a user nothing. `kernel.all` is a metric's name, and a rule
# leaves something as it is.
INSIDE = re.compile(r"\b(lanes?|kernels?(?!\.)|leaf|(?:above|the) leaves|core operators?)\b")
# Options that choose among the compiler's own stages name them.
OF_COMPILER = {"--jit,--evaluator", "--dump", "--isa", "--level"}

FIELD = re.compile(r'\.(names|what|more|footer|examples)\s*=\s*'
                   r'(\{?(?:\s*,?\s*"(?:\\.|[^"\\])*")+)')
LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
BREAKS = ".SH .SS .PP .TP .IP .br .EX .EE .nf .fi .TS .TE .TH .RS .RE".split()
ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


def help_fields(text):
    """(line, name of the option or "", field, text) of the tables in a source."""
    option = ""
    for found in FIELD.finditer(text):
        field, literals = found[1], LITERAL.findall(found[2])
        glue = "\n" if field == "examples" else ""
        value = re.sub(r'\\[n"\\]', lambda m: ESCAPES[m[0]], glue.join(literals))
        option = value if field == "names" else "" if field == "footer" else option
        yield text.count("\n", 0, found.start()) + 1, option, field, value


def long_sentences(text):
    """Sentences end with a period, a colon, a semicolon, a question or a line."""
    for sentence in re.split(r"(?<=[.;:?!])\s+|\n", text):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > SENTENCE_WORDS_MAX:
            yield f"{len(words)} words in a sentence: {' '.join(words[:6])} …"


def verbatim(field, text):
    """Lines that the help prints as they are."""
    if field == "examples":
        return ["  " + line for line in text.split("\n")]
    return [line for line in text.split("\n") if line.startswith(" ")] if field == "footer" else []


def help_faults(option, field, text):
    for line in verbatim(field, text):
        if len(line) > HELP_COLUMNS_MAX:
            yield f"{len(line)} columns of help, more than {HELP_COLUMNS_MAX}"
    if field in ("names", "examples"):
        return
    prose = "\n".join(line for line in text.split("\n") if not line.startswith(" "))
    yield from long_sentences(prose)
    inside = INSIDE.search(prose)
    if inside and option not in OF_COMPILER and "--dump" not in prose:
        yield f"`{inside[1]}` says nothing to a user"


def page_paragraphs(lines):
    """(line, text) of the prose of a man page: no titles, no comments, no examples as they are."""
    begun, words, as_is = 0, [], False
    for number, line in enumerate(lines, 1):
        macro = line.split(" ")[0] if line.startswith(".") else ""
        if macro in (".EX", ".nf", ".TS"):
            as_is = True
        if macro in BREAKS or line.startswith('.\\"'):
            if words:
                yield begun, " ".join(words)
            words = []
        elif not as_is:
            begun = begun if words else number
            words.append(re.sub(r'^\.[BIR]{1,2} |\\f[BIRP]|\\[&c~]|"', "", line))
        if macro in (".EE", ".fi", ".TE"):
            as_is = False
    if words:
        yield begun, " ".join(words)


def check_voice(tree, _here):
    for name in tree.sources():
        if not name.startswith("rules/cmd/"):
            continue
        for line, option, field, text in help_fields(tree.text(name)):
            for fault in help_faults(option, field, text):
                yield f"{name}:{line}: {fault}"
    for name in tree.names:
        if not re.fullmatch(r"rules/cmd/pages/.*\.[15]", name):
            continue
        for line, text in page_paragraphs(tree.lines(name)):
            for fault in long_sentences(text):
                yield f"{name}:{line}: {fault}"
            inside = INSIDE.search(text)
            if inside and "--dump" not in text.replace("\\-", "-"):
                yield f"{name}:{line}: `{inside[1]}` says nothing to a user"
