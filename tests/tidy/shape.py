"""Sizes and words: lines, columns, unfinished work, paths of somebody's machine."""

import posixpath
import re
import statistics

FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 70
MEDIAN_LINES = (80, 150)
MEDIAN_FILES_MIN = 20  # of fewer files a median says nothing
HEADER_LINES_MIN = 40  # or
HEADER_INCLUDERS_MIN = 2
COLUMNS_MAX = 100
TABLE_COLUMNS_MAX = 160  # .def: one row a line

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\([a-z])")
# An absolute path, but for those that every Debian has, and those of HTTP.
EVERYWHERE = r"(?:api/v[12]|bin|dev|etc|proc|run|sys|usr|var/lib|var/log)/"
MACHINE = re.compile(rf"""(?:^|[\s"'=(])/(?!{EVERYWHERE})[a-z]+/[\w.]""")
NO_FUNCTION = re.compile(
    r"^(template <.*> )?(namespace|class|struct|enum|union|extern|using|typedef)\b|[=,({]\s*\{$")


def check_file_lines(tree, _here):
    for name in tree.sources() + tree.scripts():
        count = len(tree.lines(name))
        if count > FILE_LINES_MAX:
            yield f"{name}: {count} lines, more than {FILE_LINES_MAX}"


def check_function_lines(tree, _here):
    """Functions at namespace scope and in classes there, as the formatter leaves them."""
    for name in tree.sources():
        for indent in ("", "  "):
            for opened, length in functions_of(tree.lines(name), indent):
                if length > FUNCTION_LINES_MAX:
                    yield f"{name}:{opened}: {length} lines, more than {FUNCTION_LINES_MAX}"


def functions_of(lines, indent):
    """(line, lines) of each function from the first line of its signature, which may wrap, to the
    brace below that."""
    begun, head, within = None, "", False
    for number, line in enumerate(lines, 1):
        text = line.split("//")[0].rstrip()
        if within:
            if text.startswith(indent + "}"):
                yield begun, number - begun + 1
                begun, within = None, False
            continue
        if re.match(indent + r"[A-Za-z_~\[]", text):
            begun, head = number, ""
        head = f"{head} {text.strip()}".strip()
        if begun and text.endswith("{"):
            within = not NO_FUNCTION.search(head)
        if not within and text.endswith(("{", "}", ";", ":")):
            begun = None


def check_median(tree, _here):
    sizes = product_sizes(tree)
    least, most = MEDIAN_LINES
    if len(sizes) >= MEDIAN_FILES_MIN and not least <= statistics.median(sizes) <= most:
        median = statistics.median(sizes)
        yield f"the median file has {median:g} lines, and should have {least} to {most}"


def check_headers(tree, _here):
    """A small header that one file includes belongs into that file. Its own .cc does not count, and
    those of `include` folders are for programs elsewhere."""
    includers = {}
    for name in tree.sources():
        for header in set(INCLUDE.findall(tree.text(name))):
            if posixpath.splitext(header)[0] != posixpath.splitext(name)[0]:
                includers[header] = includers.get(header, 0) + 1
    for name in tree.sources("runtime", "compiler", "agent", "rules"):
        count, lines = includers.get(name, 0), len(tree.lines(name))
        own = name.endswith(".h") and "/include/" not in name
        if own and lines < HEADER_LINES_MIN and count < HEADER_INCLUDERS_MIN:
            yield f"{name}: a header of {lines} lines for {count} other file(s)"


def check_columns(tree, _here):
    for name in tree.sources() + tree.scripts():
        limit = TABLE_COLUMNS_MAX if name.endswith(".def") else COLUMNS_MAX
        for number, line in enumerate(tree.lines(name), 1):
            if len(line) > limit:
                yield f"{name}:{number}: {len(line)} columns, more than {limit}"


def check_unfinished(tree, _here):
    for name in tree.all_text():
        if name.startswith("tests/tidy/"):
            continue
        for number, line in enumerate(tree.lines(name), 1):
            if UNFINISHED.search(line):
                yield f"{name}:{number}: unfinished work without a name"


def check_machine_paths(tree, _here):
    for name in tree.all_text():
        if name.startswith("tests/tidy/"):
            continue
        for number, line in enumerate(tree.lines(name), 1):
            if MACHINE.search(line):
                yield f"{name}:{number}: a path of somebody's machine"


def product_sizes(tree):
    names = tree.sources("runtime", "compiler", "agent", "rules")
    return sorted(len(tree.lines(n)) for n in names if n.endswith((".h", ".cc")))


def size_report(tree):
    sizes = product_sizes(tree)
    if not sizes:
        return "no files"
    ninth = sizes[min(len(sizes) - 1, len(sizes) * 9 // 10)]
    median = statistics.median(sizes)
    return f"{len(sizes)} files: median {median:g} lines, ninth decile {ninth}, longest {sizes[-1]}"
