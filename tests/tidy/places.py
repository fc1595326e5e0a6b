"""Everything has its place: sources are built, folders have a README, links lead somewhere."""

import posixpath
import re

from tree import FOREIGN

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


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
