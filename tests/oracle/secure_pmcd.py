"""Debian's pmcd and pmproxy with certificates and users of their own, for scripts that compare
encrypted connections, logins and proxies. Everything is below one folder."""

import os
import pathlib
import socket
import subprocess
import time

import live_pmcd

PROXY = "/usr/lib/pcp/bin/pmproxy"
PROXY_SETTINGS = """[pmproxy]
pcp.enabled = true
http.enabled = false
redis.enabled = false
secure.enabled = true
[redis]
enabled = false
[discover]
enabled = false
"""


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


class Authority:
    """Signs certificates; `path` is its own."""

    def __init__(self, folder, name):
        self.folder, self.name, self.signed = folder, name, 0
        self.path, self.key = folder / f"{name}.crt", folder / f"{name}.key"
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.key, "-out",
                self.path, "-subj", f"/CN=the authority {name}", "-days", "2")

    def certificate(self, name, alternatives="", days="2"):
        """As settings of tls.conf. `alternatives`: DNS:…, IP:…; `days` below 0: it has expired."""
        self.signed += 1
        base = self.folder / f"{self.name}-{self.signed}"
        request, more = base.with_suffix(".csr"), base.with_suffix(".ext")
        more.write_text("basicConstraints=CA:FALSE\n" +
                        (f"subjectAltName={alternatives}\n" if alternatives else ""))
        out = {"tls-cert-file": base.with_suffix(".crt"), "tls-key-file": base.with_suffix(".key")}
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", out["tls-key-file"], "-subj",
                f"/CN={name}", "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self.path, "-CAkey", self.key,
                "-CAcreateserial", "-extfile", more, "-days", days, "-out", out["tls-cert-file"])
        return out


def write_tls(path, *settings):
    path.write_text("".join(f"{key} = {value}\n" for each in settings
                            for key, value in each.items()))
    return path


def write_users(folder, users):
    """Names and passwords. The folder is that of SASL's settings (SASL_CONF_PATH)."""
    (folder / "pmcd.conf").write_text("mech_list: plain login scram-sha-256 digest-md5\n"
                                      f"sasldb_path: {folder}/passwd.db\n")
    for name, password in users.items():
        subprocess.run(["saslpasswd2", "-p", "-f", folder / "passwd.db", "-a", "pmcd", "-c", name],
                       input=password, text=True, check=True, capture_output=True)


def start_pmcd(folder, tls, users, words=(), access="", program=live_pmcd.DAEMON):
    """The process and its port. `program`: another pmcd, such as our drop-in."""
    folder.mkdir()
    write_tls(folder / "tls.conf", *tls)
    return live_pmcd.start(folder, words=words, agents=access, program=program,
                           settings={"PCP_TLSCONF_PATH": str(folder / "tls.conf"),
                                     "PMCD_MAXPENDING": "64",  # clients that come at once
                                     "SASL_CONF_PATH": str(users)})


def start_pmproxy(folder):
    folder.mkdir()
    port = live_pmcd.free_port()
    (folder / "pmproxy.conf").write_text(PROXY_SETTINGS)
    proxy = subprocess.Popen(
        [PROXY, "-f", "-A", "-c", folder / "pmproxy.conf", "-i", "127.0.0.1", "-p", str(port),
         "-s", folder / "pmproxy.socket", "-l", folder / "pmproxy.log", "-U",
         os.environ.get("USER") or "root"],
        env=dict(os.environ, PCP_RUN_DIR=str(folder), PCP_TMP_DIR=str(folder)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return proxy, port
        except OSError:
            time.sleep(0.05)
    raise SystemExit("pmproxy does not start: " +
                     pathlib.Path(folder / "pmproxy.log").read_text())
