"""Debian's pmcd on a free port of loopback, for scripts that compare live hosts."""

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


def name_space():
    """The installed parts have roots of their own; one root names what they name."""
    roots, rest = ["sample"], []
    for path in PARTS:
        text = pathlib.Path(path).read_text()
        if found := re.search(r"(?m)^root\s*\{([^}]*)\}", text):
            roots.append(found[1])
            text = text[:found.start()] + text[found.end():]
        rest.append(text)
    return "#define SAMPLE 29\n#define LINUX 60\nroot {\n%s\n}\n%s" % ("\n".join(roots),
                                                                      "\n".join(rest))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(folder, port=None):
    """The process and its port; its sockets, log and settings are in the folder."""
    port = port or free_port()
    (folder / "pmcd.conf").write_text(AGENTS)
    (folder / "root").write_text(name_space())
    daemon = subprocess.Popen(
        [DAEMON, "-f", "-A", "-c", folder / "pmcd.conf", "-n", folder / "root", "-p", str(port),
         "-i", "127.0.0.1", "-s", folder / "pmcd.socket", "-l", folder / "pmcd.log", "-U",
         os.environ.get("USER") or "root"],
        env=dict(os.environ, PCP_RUN_DIR=str(folder), PMCD_ROOT_AGENT="0"),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return daemon, port
        time.sleep(0.1)
    daemon.kill()
    sys.exit("pmcd does not start: " + (folder / "pmcd.log").read_text())
