"""Include arrows: a folder may include what its row of layers.txt names, and what those name."""

import posixpath
import re

from tree import table

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def read_layers(path):
    rows = {}
    for line in table(path):
        layer, _, may = line.partition(":")
        rows[layer.strip()] = may.split()
    return rows


def closure(rows, layer):
    """Every layer that `layer` reaches; headers that are doors stay single."""
    seen, todo = set(), [layer]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        todo += rows.get(name, [])
    return seen


def check_layers(tree, here):
    rows = read_layers(here / "layers.txt")
    reach = {layer: closure(rows, layer) for layer in rows}
    for name in tree.sources("runtime", "compiler", "agent", "rules"):
        layer = "/".join(name.split("/")[:2])
        if layer not in rows:
            yield f"{name}: its folder {layer} has no row in tests/tidy/layers.txt"
            continue
        for number, line in enumerate(tree.lines(name), 1):
            match = INCLUDE.match(line)
            if match:
                yield from judge(tree, f"{name}:{number}", match[1], layer, rows, reach)


def judge(tree, place, included, layer, rows, reach):
    target = "/".join(included.split("/")[:2])
    beside = posixpath.join(posixpath.dirname(place.split(":")[0]), included)
    if beside in tree.names:
        # Headers that are installed for programs in C stand beside one another there, too.
        if place.startswith("runtime/pmapi/include/"):
            return
        yield f'{place}: "{included}" is not given from the root of the repository'
    elif included.startswith("tests/"):
        yield f"{place}: includes a file of tests"
    elif target in rows and target not in reach[layer] and included not in reach[layer]:
        yield f"{place}: {layer} may not include {included}"


def check_circles(tree, _here):
    """Neither layers nor folders include each other, by whatever way. Between a folder and those
    below it both directions are fine: they are one."""
    arrows = {}
    for name in tree.sources("runtime", "compiler", "agent", "rules"):
        for number, line in enumerate(tree.lines(name), 1):
            match = INCLUDE.match(line)
            for arrow in arrows_of(name, match[1]) if match else ():
                arrows.setdefault(arrow[0], {}).setdefault(arrow[1], f"{name}:{number}")
    reach = {folder: closure(arrows, folder) for folder in arrows}
    for folder, targets in arrows.items():
        for target, place in targets.items():
            if folder < target and folder in reach.get(target, ()):
                yield f"{place}: {folder} and {target} include each other"


def arrows_of(name, included):
    """Folder to folder, and layer to layer where they are in two."""
    folders = posixpath.dirname(name), posixpath.dirname(included)
    layers = tuple("/".join(folder.split("/")[:2]) for folder in folders)
    return {arrow for arrow in (folders, layers) if not related(*arrow)}


def related(one, other):
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def check_forbidden(tree, here):
    for line in table(here / "forbidden.txt"):
        word, home, where = re.split(r"\s{2,}", line.strip())
        pattern = re.compile(word)
        for name in tree.sources():
            if f"{name}/".startswith(tuple(place + "/" for place in home.split(","))):
                continue
            folders = tuple(w + "/" for w in where.split(","))
            if where != "everywhere" and not name.startswith(folders):
                continue
            if not pattern.search(tree.text(name)):  # most files: no line has it
                continue
            for number, text in enumerate(tree.lines(name), 1):
                if pattern.search(text.split("//")[0]):
                    yield f"{name}:{number}: {word} belongs into {home}"
