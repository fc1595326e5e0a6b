"""A type name has one meaning: no two types at namespace scope share a name."""

import re

NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"""
    r""""(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
NAMESPACE = re.compile(r"\b(?:namespace\b[\w:\s]*|extern\s*)$")
# What comes before the brace, base class or `=` of a type; of a declaration there is none of these.
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[.*?\]\]\s*)?"
                  r"(\w+)(<.*>)?(?:\s+final)?\s*(?::(?!:)[^(){};]*)?$", re.S)
ALIAS = re.compile(r"\busing\s+(\w+)\s*=")
# A template of which there may be nothing but specialisations.
DECLARED = re.compile(r"\btemplate\s*<[^;{}]*>\s*(?:class|struct|union)\s+(\w+)\s*$")


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
    """(line, name) of each type that is defined at namespace scope. A template that is declared
    and then specialised is defined by that; one that another file declares is that file's."""
    code = blank(DIRECTIVE, blank(NOISE, text))
    declared, defined = {}, set()
    for at, before, end in statements(code):
        alias = ALIAS.search(before)  # with a lambda the brace is not its end
        found = alias or (TYPE.search(before) if end == "{" else DECLARED.search(before))
        if not found:
            continue
        name, line = found[1], code.count("\n", 0, at + found.start(1)) + 1
        if found.re is DECLARED:
            declared[name] = line
        elif found.re is TYPE and found[2]:
            line = declared.get(name)
        if found.re is not DECLARED and line and name not in defined:
            defined.add(name)
            yield line, name


def statements(code):
    """(where it begins, text, `{` or `;`) of what stands at namespace scope."""
    start, depth = 0, 0  # of the statement; of braces that are no namespace's
    opened = []
    for match in re.finditer(r"[{};]", code):
        at, before = start, code[start:match.start()]
        start = match.end()
        is_namespace = match[0] == "{" and depth == 0 and NAMESPACE.search(before)
        if depth == 0 and match[0] != "}" and not is_namespace:
            yield at, before, match[0]
        if match[0] == "{":
            opened.append(bool(is_namespace))
            depth += not is_namespace
        elif match[0] == "}" and opened:
            depth -= not opened.pop()


def blank(pattern, text):
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
