"""Starts `sim_hosts`, speaks to it as a client does, and knows the values that its hosts have."""

import json
import pathlib
import signal
import socket
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/shown"))
from collector_requests import creds, pdu, pmid, take, words  # noqa: E402

DOMAIN = 240
DISKS = DOMAIN << 22
FAMILIES = ["count", "limit", "level", "offset", "bytes", "ratio", "ticks", "share"]
# struct's letter of a value
LETTERS = {"count": "Q", "limit": "Q", "level": "d", "offset": "q", "bytes": "Q", "ratio": "d",
           "ticks": "I", "share": "f"}
RESULT, HIGHRES = 0x7001, 0x7015


class Sim:
    """The process. `options` are words of its command line."""

    def __init__(self, program, folder, *options, metrics=100, instanced=10, instances=50,
                 preexec=None):
        self.shape = metrics, instanced, instances
        self.process = subprocess.Popen(
            [program, "--metrics", str(metrics), "--instanced", str(instanced), "--instances",
             str(instances), "--addresses", folder / "addresses", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=preexec)
        word, port, hosts, step = self.process.stdout.readline().split() or [""] * 4
        if word != "ready":
            raise RuntimeError(self.process.communicate()[1])
        self.port, self.hosts, self.first_step = int(port), int(hosts), int(step)
        self.addresses = (folder / "addresses").read_text(encoding="ascii").split()

    def counts(self):
        self.process.send_signal(signal.SIGUSR1)
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        out, said = self.process.communicate(timeout=60)
        return self.process.returncode, json.loads(out), said

    def metrics(self):
        """(name, family, singular) in the order of their numbers."""
        total, instanced, _ = self.shape
        for kind, count in (("single", total - instanced), ("disks", instanced)):
            for index in range(count):
                family = FAMILIES[index % 8]
                yield f"sim.{kind}.{family}{index // 8}", family, kind == "single"

    def everything(self):
        """Every metric, as a fetch asks for them."""
        return [pmid_of(number) for number in range(self.shape[0])]


def pmid_of(number):
    return pmid(DOMAIN, 0, number)


def value_of(host, number, family, instance, step):
    """The formulas of the README."""
    base = host * 1_000_000 + number * 1_000 + instance
    grown = base + (1 + (number + instance) % 16) * step
    return {"count": grown, "limit": base, "level": (step + host + instance) % 60 / 2,
            "offset": -base, "bytes": 1024 * grown, "ratio": base / 8, "ticks": grown % 2**32,
            "share": base % 1000 / 8}[family]


def step_of(seconds, nanoseconds):
    return seconds + (nanoseconds >= 500_000_000)


class Client:
    """A connection to a host, up to the profile."""

    def __init__(self, address, timeout=30):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=timeout)
        self.greeting = take(self.socket)
        self.socket.sendall(creds() + self.profile(0))

    @staticmethod
    def profile(context, excludes=0):
        return pdu(0x7002, words(context, excludes, 0, 0))

    def ask(self, request):
        self.socket.sendall(request)
        return take(self.socket)

    def close(self):
        self.socket.close()


def fetch(pmids, context=0, highres=False):
    code = 0x7014 if highres else 0x7003
    return pdu(code, words(context, 0, 0, len(pmids), *pmids))


def sets_of(sim, answer):
    """(seconds, nanoseconds, {number: {instance: value}}) of a result."""
    families = [family for _, family, _ in sim.metrics()]
    code = struct.unpack(">i", answer[4:8])[0]
    if code == HIGHRES:
        count, seconds, nanoseconds = struct.unpack(">iqq", answer[12:32])
        at = 32
    else:
        seconds, micros, count = struct.unpack(">iii", answer[12:24])
        nanoseconds, at = micros * 1000, 24
    out = {}
    for _ in range(count):
        metric, values = struct.unpack(">Ii", answer[at:at + 8])
        number = metric & 1023
        at += 8
        values_of = out[number] = {}
        if values <= 0:
            continue
        in_place = struct.unpack(">i", answer[at:at + 4])[0] == 0
        at += 4
        letter = LETTERS[families[number]]
        for _ in range(values):
            instance, where = struct.unpack(">ii", answer[at:at + 8])
            begin = at + 4 if in_place else 4 * where + 4
            values_of[instance], = struct.unpack_from(">" + letter, answer, begin)
            at += 8
    return seconds, nanoseconds, out


def step_in(sim, answer):
    return step_of(*sets_of(sim, answer)[:2])


def is_right(sim, host, answer, first_instance=0):
    """Whether a result over all metrics has the values of its stamp."""
    seconds, nanoseconds, found = sets_of(sim, answer)
    step = step_of(seconds, nanoseconds)
    instances = range(first_instance, first_instance + sim.shape[2])
    return found == {
        number: {-1: value_of(host, number, family, 0, step)} if singular else
        {one: value_of(host, number, family, one, step) for one in instances}
        for number, (_, family, singular) in enumerate(sim.metrics())}
