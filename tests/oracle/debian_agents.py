"""Agents of Debian's PCP: sources of theirs, compiled, and their parts of the name space."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PMDAS, PMNS = pathlib.Path("/var/lib/pcp/pmdas"), pathlib.Path("/var/lib/pcp/pmns")
HEADERS = [f"-I{ROOT}/agent/interface/include", f"-I{ROOT}/runtime/pmapi/include"]
MADE = {"simple": 253, "trivial": 250}  # of sources, and their domains


def compiled(source, out, *flags):
    """With our headers and PCP's libraries."""
    subprocess.run(["cc", "-w", *flags, *HEADERS, "-o", out, source, "-l:libpcp_pmda.so.3",
                    "-l:libpcp.so.3", "-pthread"], check=True)
    return out


def make_agents(folder):
    """Shared objects: name, domain, place."""
    for name, domain in MADE.items():
        compiled(PMDAS / name / f"{name}.c", folder / f"pmda_{name}.so", "-shared", "-fPIC",
                 f"-I{PMDAS}/{name}")
        yield name, domain, folder / f"pmda_{name}.so"


def make_daemons(folder):
    """Programs: name, domain, place."""
    for name, domain in MADE.items():
        yield name, domain, compiled(PMDAS / name / f"{name}.c", folder / f"pmda{name}",
                                     f"-I{PMDAS}/{name}")


def part(folder, name, domain):
    """The part of the name space of an agent, with a root of its own."""
    installed = PMNS / f"root_{name}"
    if installed.exists():
        return installed
    text = next(path for path in (PMDAS / name / f"root_{name}", PMDAS / name / "pmns")
                if path.exists()).read_text()
    if not re.search(r"(?m)^root\s*\{", text):
        roots = re.findall(r"(?m)^(\w+)\s*\{", text)
        text = "\nroot {\n" + "\n".join(roots) + "\n}\n" + text
    made = folder / f"root_{name}"
    macros = set(re.findall(r"\b([A-Z]\w*):", text))
    made.write_text("".join(f"#define {macro} {domain}\n" for macro in macros) + text)
    return made
