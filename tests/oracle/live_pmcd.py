"""Debian's pmcd on a free port of loopback, for scripts that compare live hosts.

With the agents pmcd, linux and sample; `whole=True`: also with those that Debian's pmcd has by
default and that run in its process.
"""

import os
import pathlib
import re
import socket
import subprocess
import sys
import time

DAEMON = "/usr/lib/pcp/bin/pmcd"
PARTS = ["/var/lib/pcp/pmns/root_linux", "/var/lib/pcp/pmns/root_pmcd",
         "/var/lib/pcp/pmdas/sample/pmns"]
AGENTS = """pmcd 2 dso pmcd_init /var/lib/pcp/pmdas/pmcd/pmda_pmcd.so
linux 60 dso linux_init /var/lib/pcp/pmdas/linux/pmda_linux.so
sample 29 dso sample_init /var/lib/pcp/pmdas/sample/pmda_sample.so
"""
WHOLE_PARTS = [f"/var/lib/pcp/pmns/root_{name}"
               for name in ("proc", "xfs", "pmproxy", "mmv", "jbd2")]
WHOLE_AGENTS = """proc 3 dso proc_init /var/lib/pcp/pmdas/proc/pmda_proc.so
xfs 11 dso xfs_init /var/lib/pcp/pmdas/xfs/pmda_xfs.so
pmproxy 4 dso pmproxy_init /var/lib/pcp/pmdas/mmv/pmda_mmv.so
mmv 70 dso mmv_init /var/lib/pcp/pmdas/mmv/pmda_mmv.so
jbd2 122 dso jbd2_init /var/lib/pcp/pmdas/jbd2/pmda_jbd2.so
"""


def name_space(parts, more=""):
    """The installed parts have roots of their own; one root names what they name, and what `more`
    has, which is written `name { … }`."""
    roots, rest = ["sample", *re.findall(r"(?m)^(\w+) *\{", more)], [more]
    for path in parts:
        text = pathlib.Path(path).read_text()
        if found := re.search(r"(?m)^root\s*\{([^}]*)\}", text):
            roots.append(found[1])
            text = text[:found.start()] + text[found.end():]
        rest.append(text)
    macros = {"SAMPLE": 29, "LINUX": 60, "PMPROXY": 4, "MMV": 70}
    lines = [f"#define {name} {number}" for name, number in macros.items()]
    return "\n".join([*lines, "root {", *roots, "}", *rest])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(folder, port=None, whole=False, host=None, agents="", names=""):
    """The process and its port; its sockets, log and settings are in the folder. `host`: what it
    calls itself. `agents` are more lines of pmcd.conf, `names` the part of the name space that they
    serve."""
    port = port or free_port()
    (folder / "pmcd.conf").write_text(AGENTS + WHOLE_AGENTS * whole + agents)
    (folder / "root").write_text(name_space(PARTS + WHOLE_PARTS * whole, names))
    daemon = subprocess.Popen(
        [DAEMON, "-f", "-A", "-c", folder / "pmcd.conf", "-n", folder / "root", "-p", str(port),
         "-i", "127.0.0.1", "-s", folder / "pmcd.socket", "-l", folder / "pmcd.log", "-U",
         os.environ.get("USER") or "root", *(["-H", host] if host else [])],
        env=dict(os.environ, PCP_RUN_DIR=str(folder), PMCD_ROOT_AGENT="0"),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return daemon, port
        time.sleep(0.1)
    daemon.kill()
    sys.exit("pmcd does not start: " + (folder / "pmcd.log").read_text())
