#!/usr/bin/env python3
"""An agent that is a process, as pmcd starts it, and that may be a bad one.

    tests/cmd/scripted_agent.py DOMAIN [HOW …] [--listen PORT|[::1]:PORT|PATH]

It speaks over standard input and output, or serves one connection. Every metric is a U32 with one
value: how many fetches there were. HOW, in the way of a PDU it gets or from the start:
    hang     does not answer fetches        slow=SECONDS   answers them late
    crash    ends with status 3 then        loop           ends right after its greeting
    garbage  answers them with noise        lies           answers with a length of 2 GiB
    mute     does not greet                 early          ends before it greets
    noise    greets with text               notready=SECONDS  says so, and later that it is ready
    short    answers with one value less    attributes     wants them, and counts them as values
    dynamic  has names below its root       names          says that names have changed
    deaf     closes its input then          half           sends half of an answer
    flood    sends answers that nobody has asked for
"""

import os
import socket
import struct
import sys
import time

ERROR, RESULT, PROFILE, FETCH = 0x7000, 0x7001, 0x7002, 0x7003
DESC_REQ, DESC, INSTANCE_REQ, INSTANCE, TEXT_REQ, TEXT = range(0x7004, 0x700A)
CREDS, IDS, NAMES, CHILD, TRAVERSE, ATTR, LABEL_REQ, LABEL = range(0x700C, 0x7014)
PMID, NAME_ERROR, READY, NOT_READY = -12358, -12357, -13393, -13394


class Agent:
    def __init__(self, domain, how, channel):
        self.domain = domain
        self.how = dict(word.partition("=")[::2] for word in how)
        self.read, self.write = channel
        self.fetches = self.stored = 0
        self.attributes = []

    def send(self, code, body):
        self.write(struct.pack(">iii", 12 + len(body), code, os.getpid()) + body)

    def error(self, code):
        self.send(ERROR, struct.pack(">i", code))

    def take(self, count):
        got = b""
        while len(got) < count:
            more = self.read(count - len(got))
            if not more:
                raise EOFError
            got += more
        return got

    def run(self):
        if "mute" in self.how:
            time.sleep(1000)
        if "early" in self.how:
            return
        if "noise" in self.how:
            self.write(b"Hello, I am an agent\n")
            time.sleep(1000)
        flags = 0x44 if "attributes" in self.how else 0
        self.send(CREDS, struct.pack(">iBBH", 1, 1, 2, flags))
        if "loop" in self.how:
            return
        while "flood" in self.how:
            self.send(RESULT, struct.pack(">iii", 0, 0, 0))
        if "deaf" in self.how:
            os.close(0)
            time.sleep(1000)
        wait = self.how.get("notready")
        while True:
            length, code, slot = struct.unpack(">iii", self.take(12))
            body = self.take(length - 12)
            if wait and code not in (CREDS, PROFILE, ERROR, ATTR):
                self.error(NOT_READY)
                time.sleep(float(wait))
                wait = None
                self.error(READY)
                continue
            self.answer(code, slot, body)

    def answer(self, code, slot, body):
        if code == FETCH:
            self.fetch(body)
        elif code == DESC_REQ:
            (pmid,) = struct.unpack(">I", body)
            if pmid & 0x3FF > 100:
                return self.error(PMID)
            self.send(DESC, struct.pack(">IiIiI", pmid, 1, 0xFFFFFFFF, 3, 0))
        elif code == INSTANCE_REQ:
            self.send(INSTANCE, body[:4] + struct.pack(">iii", 1, 7, 4) + b"seve")
        elif code == TEXT_REQ:
            text = b"a text of the agent!"
            self.send(TEXT, body[:4] + struct.pack(">i", len(text)) + text)
        elif code == LABEL_REQ:
            self.send(LABEL, body[:8] + struct.pack(">ii", 0, 0))
        elif code == RESULT:
            self.stored += 1
            self.error(0)
        elif code == ATTR:
            self.attributes.append((slot, struct.unpack(">i", body[:4])[0], body[4:]))
        elif code in (IDS, NAMES, CHILD, TRAVERSE):
            self.names(code, body)

    def fetch(self, body):
        how = self.how
        pmids = struct.unpack(f">{(len(body) - 16) // 4}I", body[16:])
        self.fetches += 1
        if "hang" in how:
            time.sleep(1000)
        if "slow" in how:
            time.sleep(float(how["slow"]))
        if "crash" in how:
            sys.exit(3)
        if "garbage" in how:
            return self.write(b"\xff" + os.urandom(4095))
        if "lies" in how:
            return self.write(struct.pack(">iii", 0x7FFFFFFF, RESULT, 0))
        if "half" in how:
            self.write(struct.pack(">iii", 12 + 12 + 20 * len(pmids), RESULT, 0) + bytes(12))
            time.sleep(1000)
        if "short" in how:
            pmids = pmids[1:]
        value = len(self.attributes) if "attributes" in how else self.fetches
        sets = b"".join(struct.pack(">IiiiI", pmid, 1, 0, -1, value) for pmid in pmids)
        bits = 16 if "names" in how else 0
        self.send(RESULT, struct.pack(">iii", bits, 0, len(pmids)) + sets)

    def names(self, code, body):
        """Two of them, `dyn.a` 0.1 and `dyn.b.c` 0.2."""
        known = {b"dyn.a": 1, b"dyn.b.c": 2}
        if "dynamic" not in self.how:
            return self.error(PMID if code == IDS else NAME_ERROR)
        if code == IDS:
            item = struct.unpack(">I", body[8:12])[0] & 0x3FF
            found = [name for name, of in known.items() if of == item]
            return self.send_names(found) if found else self.error(PMID)
        at = 16 if code == NAMES else 8
        (length,) = struct.unpack(">i", body[at - 4:at])
        name = body[at:at + length]
        if code == NAMES:
            if name not in known:
                return self.error(NAME_ERROR)
            return self.send(IDS, struct.pack(">iiI", 1, 1, self.domain << 22 | known[name]))
        below = [one for one in known if one == name or one.startswith(name + b".")]
        if code == TRAVERSE:
            return self.send_names(below)
        children = {one[len(name) + 1:].split(b".")[0]: int(one.count(b".") > 1) for one in below}
        return self.send_names(list(children), list(children.values()))

    def send_names(self, names, status=None):
        body = struct.pack(">iii", sum(len(n) + 1 for n in names), len(status or ()), len(names))
        for i, name in enumerate(names):
            if status:
                body += struct.pack(">i", status[i])
            body += struct.pack(">i", len(name)) + name + b"~" * (-len(name) % 4)
        self.send(NAMES, body)


def channel_of(where):
    if where is None:
        return (lambda count: os.read(0, count)), (lambda data: os.write(1, data))
    if where.startswith("[::1]:"):
        listener = socket.create_server(("::1", int(where[6:])), family=socket.AF_INET6)
    elif where.isdigit():
        listener = socket.create_server(("127.0.0.1", int(where)))
    else:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(where)
        listener.listen()
    connection, _ = listener.accept()
    return connection.recv, connection.sendall


def main():
    words = sys.argv[2:]
    where = None
    if "--listen" in words:
        at = words.index("--listen")
        where = words[at + 1]
        del words[at:at + 2]
    try:
        Agent(int(sys.argv[1]), words, channel_of(where)).run()
    except (EOFError, BrokenPipeError, ConnectionError):
        pass


main()
