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


def start(folder, port=None, whole=False, host=None, agents="", names="", words=(),
          settings=None, program=DAEMON, base=AGENTS):
    """The process and its port; its sockets, log and settings are in the folder. `host`: what it
    calls itself. `agents` are more lines of pmcd.conf, `names` the part of the name space that they
    serve; `words` more options of pmcd, `settings` more of its environment. `program`: another
    pmcd, such as our drop-in. `base`: other agents than those above."""
    (folder / "pmcd.conf").write_text(base + WHOLE_AGENTS * whole + agents)
    (folder / "root").write_text(name_space(PARTS + WHOLE_PARTS * whole, names))
    for _ in range(10):
        chosen = port or free_port()
        daemon = begin(program, folder, chosen, host, words, settings or {})
        if listens(daemon, chosen, folder / "pmcd.log"):
            return daemon, chosen
        daemon.kill()
        daemon.wait()
        time.sleep(0.2)
    sys.exit("pmcd does not start: " + (folder / "pmcd.log").read_text())


def begin(program, folder, port, host, words, settings):
    (folder / "pmcd.log").unlink(missing_ok=True)
    return subprocess.Popen(
        [program, "-f", "-A", "-c", folder / "pmcd.conf", "-n", folder / "root", "-p", str(port),
         "-i", "127.0.0.1", "-s", folder / "pmcd.socket", "-l", folder / "pmcd.log", "-U",
         os.environ.get("USER") or "root", *(["-H", host] if host else []), *words],
        # Other tests run pmie and pmlogger: pmcd finds them in the folder for what is passing.
        env={**os.environ, "PCP_RUN_DIR": str(folder), "PCP_TMP_DIR": str(folder),
             "PMCD_ROOT_AGENT": "0", **settings},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def listens(daemon, port, log):
    """Whether it does; where another process has the port it runs on, with its other socket."""
    for _ in range(600):
        text = log.read_text() if log.exists() else ""
        said = re.search(rf"(ok|err) +-?\d+ +{port} +inet ", text)
        if said or daemon.poll() is not None:
            return bool(said) and said[1] == "ok"
        time.sleep(0.05)
    return False


class Host:
    """One that can be killed and started again."""

    def __init__(self, folder):
        self.folder = folder
        self.daemon, self.port = start(folder)
        self.name = f"127.0.0.1:{self.port}"

    def kill(self):
        self.daemon.kill()
        self.daemon.wait()

    def start(self):
        self.daemon, _ = start(self.folder, self.port)
