"""Everything has its place: sources are built, folders have a README, links lead somewhere."""

import posixpath
import re

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SECOND_LEVEL = ("runtime", "compiler", "agent", "rules", "tests")


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
    folders = {"/".join(n.split("/")[:2]) for n in tree.names if n.count("/") >= 2}
    for folder in sorted(f for f in folders if f.split("/")[0] in SECOND_LEVEL):
        if f"{folder}/README.md" not in tree.names:
            yield f"{folder}: has no README.md"
    if "README.md" not in tree.names:
        yield "there is no README.md"


def check_links(tree, _here):
    for name in tree.names:
        if not name.endswith(".md"):
            continue
        for target in LINK.findall(re.sub(r"`[^`\n]*`", "", tree.text(name))):
            if re.match(r"[a-z]+:|#", target):
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target.split("#")[0]))
            if not (tree.root / path).exists():
                yield f"{name}: the link {target} leads nowhere"
