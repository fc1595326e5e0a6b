"""The files that tidy looks at, read once."""

import pathlib
import re
import subprocess

SOURCE = (".h", ".cc", ".c", ".def")
SCRIPT = (".py", ".sh")
NOT_IN_GIT = ("build/", ".git/")
FOREIGN = "tests/golden/"  # its bytes are not ours to judge; that each folder has a page is


class NotDone(Exception):
    """A check that could not look; says why."""


class Tree:
    """The files of a checkout: what git would take, or all there is without git."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.all_names = sorted(n for n in self._list() if not n.startswith(NOT_IN_GIT))
        self.names = [n for n in self.all_names if not n.startswith(FOREIGN)]
        self.texts = {}

    def _list(self):
        git = ["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard"]
        result = subprocess.run(git, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return [n for n in result.stdout.splitlines() if (self.root / n).is_file()]
        return [str(p.relative_to(self.root)) for p in self.root.rglob("*") if p.is_file()]

    def text(self, name):
        if name not in self.texts:
            self.texts[name] = (self.root / name).read_bytes().decode("utf-8", "replace")
        return self.texts[name]

    def lines(self, name):
        return self.text(name).splitlines()

    def sources(self, *tops):
        """Our C++ below the given top folders; all of it without."""
        wanted = tuple(t + "/" for t in tops)
        return [n for n in self.names if n.endswith(SOURCE) and (not tops or n.startswith(wanted))]

    def scripts(self):
        def is_script(name):
            return name.endswith(SCRIPT) or ("." not in name and self.text(name).startswith("#!"))

        return [n for n in self.names if is_script(n)]

    def all_text(self):
        binary = re.compile(r"\.(png|gz|xz|zst)$")
        return [n for n in self.names if not binary.search(n) and "\0" not in self.text(n)]


def table(path):
    """The lines of a table file without comments."""
    if not path.exists():
        return []
    return [l for l in path.read_text().splitlines() if l.strip() and not l.startswith("# ")]
