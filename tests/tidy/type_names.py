"""A type name has one meaning: no two types at namespace scope share a name."""

import re

NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"""
    r""""(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
NAMESPACE = re.compile(r"\b(?:namespace\b[\w:\s]*|extern\s*)$")
# What comes before the brace, base class or `=` of a type; of a declaration there is none of these.
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[.*?\]\]\s*)?"
                  r"(\w+)(?:\s+final)?\s*(?::(?!:)[^(){};]*)?$")
ALIAS = re.compile(r"\busing\s+(\w+)\s*=")


def check_type_names(tree, _here):
    """Forward declarations, nested types and those that a function has for itself do not count."""
    first = {}
    for name in tree.sources("runtime", "compiler", "agent", "rules"):
        for number, type_name in types_of(tree.text(name)):
            place = f"{name}:{number}"
            if type_name in first:
                yield f"{place}: the type {type_name} has a namesake, {first[type_name]}"
            else:
                first[type_name] = place


def types_of(text):
    """(line, name) of each type that is defined at namespace scope."""
    code = blank(DIRECTIVE, blank(NOISE, text))
    start, depth = 0, 0  # of the statement; of braces that are no namespace's
    opened = []
    for match in re.finditer(r"[{};]", code):
        before, at = code[start:match.start()], match.start()
        start = match.end()
        is_namespace = match[0] == "{" and depth == 0 and NAMESPACE.search(before)
        found = None
        if depth == 0 and match[0] != "}" and not is_namespace:
            found = TYPE.search(before) if match[0] == "{" else ALIAS.search(before)
        if found:
            yield code.count("\n", 0, at - len(before) + found.start(1)) + 1, found[1]
        if match[0] == "{":
            opened.append(bool(is_namespace))
            depth += not is_namespace
        elif match[0] == "}" and opened:
            depth -= not opened.pop()


def blank(pattern, text):
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
