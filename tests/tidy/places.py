"""Everything has its place: sources are built, folders have a README, links lead somewhere."""

import posixpath
import re

from tree import FOREIGN

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# A name of one of our files in prose: `exec/steps.h`, reader.cc. Not <sys/stat.h>, pcp/pmapi.h,
# {units,instances}.cc, FILE.cc and *.cc.
FILE_NAME = re.compile(r"(?<![\w./*<{}$~+-])((?:[\w.-]+/)*[\w.-]+\.(?:h|cc|def|g4|case))(?![\w/])")
# A path from the root, of a file with or without its ending, or of a folder.
PATH = re.compile(r"`((?:agent|compiler|grammar|rules|runtime|tests)/[\w./-]+)`")
NO_FILE = re.compile(r"[A-Z]|^(?:pcp|sys|linux|uapi)/")


def check_built(tree, _here):
    """Every .cc is named in the CMakeLists.txt of its folder or of one above."""
    lists = [n for n in tree.names if n.endswith("CMakeLists.txt")]
    recipes = {posixpath.dirname(n): tree.text(n) for n in lists}
    for name in tree.names:
        if not name.endswith((".cc", ".c")):
            continue
        folder = posixpath.dirname(name)
        while folder and not named(recipes.get(folder, ""), name, folder):
            folder = posixpath.dirname(folder)
        if not folder:
            yield f"{name}: no CMakeLists.txt builds it"


def named(recipe, name, folder):
    relative = posixpath.relpath(name, folder)
    if re.search(rf"(?<![\w/]){re.escape(relative)}(?!\w)", recipe):
        return True
    stem = re.sub(r"_(fuzz|bench)\.cc$", "", posixpath.basename(name))
    return bool(re.search(rf"pmjit_(fuzz|bench)\({stem}\b", recipe))


def check_readmes(tree, _here):
    """A page: the root and folders of the first two levels; foreign bytes have one on their way."""
    if "README.md" not in tree.all_names:
        yield "there is no README.md"
    folders = set()
    for name in tree.all_names:
        parts = posixpath.dirname(name).split("/")
        if not parts[0] or parts[0].startswith("."):
            continue
        folders |= {parts[0], "/".join(parts[:2])}
        if name.startswith(FOREIGN) and len(parts) > 2:
            below = ["/".join(parts[:n]) for n in range(3, len(parts) + 1)]
            if not any(f"{folder}/README.md" in tree.all_names for folder in below):
                folders.add(below[0])
    for folder in sorted(folders):
        if f"{folder}/README.md" not in tree.all_names:
            yield f"{folder}: has no README.md"


def check_links(tree, _here):
    for name in tree.all_names:
        if not name.endswith(".md"):
            continue
        for target in LINK.findall(re.sub(r"`[^`\n]*`", "", tree.text(name))):
            if re.match(r"[a-z]+:|#", target):
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target.split("#")[0]))
            if not (tree.root / path).exists():
                yield f"{name}: the link {target} leads nowhere"


def check_file_names(tree, _here):
    """Names of source files in comments and pages: the end of the path of a file that is there."""
    ends = set()
    for name in tree.all_names:
        parts = name.split("/")
        ends |= {"/".join(parts[n:]) for n in range(len(parts))}
    for name in tree.all_names:
        if not name.endswith((".md", ".h", ".cc", ".def")) or name == "CHANGELOG.md":
            continue
        for number, line in enumerate(tree.lines(name), 1):
            prose = line if name.endswith(".md") else line.partition("//")[2]
            for found in FILE_NAME.findall(prose):
                beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), found))
                if found not in ends and beside not in ends and not NO_FILE.search(found):
                    yield f"{name}:{number}: there is no file {found}"
            for found in PATH.findall(prose):
                if not FILE_NAME.fullmatch(found) and not is_there(tree.root / found):
                    yield f"{name}:{number}: there is no {found}"


def is_there(path):
    """A file, with any ending or none, or a folder; names with capitals stand for others."""
    return path.exists() or NO_FILE.search(path.name) or any(path.parent.glob(f"{path.name}.*"))


def check_file_tables(tree, _here):
    """Tables of files in pages: what the first column names is a file or folder beside the page, a
    header and its .cc without an ending."""
    for name in tree.all_names:
        if not name.endswith(".md"):
            continue
        folder, in_table = posixpath.dirname(name), False
        for number, line in enumerate(tree.lines(name), 1):
            if not line.startswith("|"):
                in_table = False
            elif re.match(r"\| (files?|folder) \|", line):
                in_table = True
            elif in_table:
                for found in re.findall(r"`([\w./-]+)`", line.split("|")[1]):
                    if not is_there(tree.root / posixpath.join(folder, found)):
                        yield f"{name}:{number}: there is no {found} beside this page"
