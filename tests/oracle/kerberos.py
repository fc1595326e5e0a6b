"""A Kerberos realm of its own for one run: a KDC on loopback, a user with a ticket, the key of a
collector, and SASL's plug-ins with that of GSSAPI among them. Its programs are Debian's krb5-kdc,
krb5-admin-server, krb5-user and libsasl2-modules-gssapi-mit; they need not be installed:
PMJIT_KRB5_ROOT names a folder that the packages were unpacked into.
"""

import os
import pathlib
import subprocess
import time

import live_pmcd

REALM = "TEST.EXAMPLE"
ROOT = pathlib.Path(os.environ.get("PMJIT_KRB5_ROOT") or "/")
PLUGINS = "usr/lib/x86_64-linux-gnu/sasl2"
PROGRAMS = ["usr/sbin/krb5kdc", "usr/sbin/kdb5_util", "usr/sbin/kadmin.local", "usr/bin/kinit",
            f"{PLUGINS}/libgssapiv2.so"]


def is_there():
    return all((ROOT / program).exists() for program in PROGRAMS)


class Realm:
    """`environment`: what clients and the collector need to know of it."""

    def __init__(self, folder, user, host):
        folder.mkdir()
        self.folder, port = folder, live_pmcd.free_port()
        libraries = ROOT / "usr/lib/x86_64-linux-gnu"
        (folder / "krb5.conf").write_text(
            f"[libdefaults]\ndefault_realm = {REALM}\ndns_canonicalize_hostname = false\n"
            f"rdns = false\ndns_lookup_kdc = false\n[realms]\n{REALM} = {{\n"
            f" kdc = 127.0.0.1:{port}\n}}\n[dbmodules]\n"
            f" db_module_dir = {libraries}/krb5/plugins/kdb\n")
        (folder / "kdc.conf").write_text(
            f"[realms]\n{REALM} = {{\n database_name = {folder}/principal\n"
            f" key_stash_file = {folder}/stash\n kdc_listen = 127.0.0.1:{port}\n"
            f" kdc_tcp_listen = 127.0.0.1:{port}\n}}\n")
        self.tools = {**os.environ, "KRB5_CONFIG": str(folder / "krb5.conf"),
                      "KRB5_KDC_PROFILE": str(folder / "kdc.conf"),
                      "KRB5CCNAME": f"FILE:{folder}/ticket"}
        if ROOT != pathlib.Path("/"):
            self.tools["LD_LIBRARY_PATH"] = str(libraries)
        self.run("usr/sbin/kdb5_util", "create", "-s", "-P", "master", "-r", REALM)
        service = f'"PCP Collector/{host}"'
        for query in (f"addprinc -pw word {user}", f"addprinc -randkey {service}",
                      f"ktadd -k {folder}/keytab {service}"):
            self.run("usr/sbin/kadmin.local", "-r", REALM, "-q", query)
        self.kdc = subprocess.Popen([ROOT / "usr/sbin/krb5kdc", "-n", "-r", REALM], env=self.tools,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.get_ticket(user)
        plugins = folder / "plugins"
        plugins.mkdir()
        for found in ("/" + PLUGINS, ROOT / PLUGINS):
            for path in pathlib.Path(found).iterdir():
                if not (plugins / path.name).exists():
                    (plugins / path.name).symlink_to(path)
        self.environment = {"KRB5_CONFIG": str(folder / "krb5.conf"),
                            "KRB5_KTNAME": str(folder / "keytab"),
                            "KRB5CCNAME": f"FILE:{folder}/ticket",
                            "PCP_SASL2_PLUGIN_PATH": str(plugins)}

    def run(self, program, *words, **more):
        return subprocess.run([ROOT / program, *words], env=self.tools, check=True, text=True,
                              capture_output=True, **more)

    def get_ticket(self, user):
        for _ in range(100):
            try:
                return self.run("usr/bin/kinit", user, input="word\n")
            except subprocess.CalledProcessError:  # the KDC begins
                time.sleep(0.05)
        raise SystemExit("no ticket of the test's KDC")

    def end(self):
        self.kdc.kill()
        self.kdc.wait()
