"""A client of a collector that speaks PDUs, for scripts: it connects, asks, and says what came."""

import socket
import struct

ERROR, RESULT, PROFILE, FETCH, DESC_REQ = 0x7000, 0x7001, 0x7002, 0x7003, 0x7004
CREDS, IDS, NAMES, CHILD, TRAVERSE = range(0x700C, 0x7011)


def pdu(code, body, of=0):
    return struct.pack(">iii", 12 + len(body), code, of) + body


def pmid(domain, cluster, item):
    return domain << 22 | cluster << 10 | item


def profile(context=0):
    return pdu(PROFILE, struct.pack(">iiii", context, 0, 0, 0))


def fetch(*pmids, context=0):
    return pdu(FETCH, struct.pack(f">iiii{len(pmids)}I", context, 0, 0, len(pmids), *pmids))


def result_sets(body):
    """Of a RESULT: (pmid, numval, the words of values) for each metric."""
    (count,) = struct.unpack(">i", body[8:12])
    at, out = 12, []
    for _ in range(count):
        of, values = struct.unpack(">Ii", body[at:at + 8])
        at += 8
        words = ()
        if values > 0:
            words = struct.unpack(f">{2 * values}i", body[at + 4:at + 4 + 8 * values])
            at += 4 + 8 * values
        out.append((of, values, words))
    return out


class Client:
    def __init__(self, where, timeout=10):
        if isinstance(where, int):
            self.socket = socket.create_connection(("127.0.0.1", where), timeout=timeout)
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(timeout)
            self.socket.connect(where)
        self.greeting = self.take()
        self.status, self.features = struct.unpack(">iHH", self.greeting[1])[::2]
        if self.status == 0:
            self.socket.sendall(pdu(CREDS, struct.pack(">iBBH", 1, 1, 2, 0)) + profile())

    def take(self):
        """(type, body); None: the connection has ended."""
        head = self.exactly(12)
        if head is None:
            return None
        length, code, _ = struct.unpack(">iii", head)
        return code, self.exactly(length - 12)

    def exactly(self, count):
        got = b""
        while len(got) < count:
            try:
                more = self.socket.recv(count - len(got))
            except ConnectionError:
                return None
            if not more:
                return None
            got += more
        return got

    def ask(self, request):
        self.socket.sendall(request)
        return self.take()

    def error(self, request):
        """The code of an ERROR, or the type of what came instead."""
        answer = self.ask(request)
        if answer is None:
            return "closed"
        return struct.unpack(">i", answer[1])[0] if answer[0] == ERROR else hex(answer[0])

    def fetch(self, *pmids):
        """(state changes, [values or the code of each metric])."""
        self.start_fetch(*pmids)
        return self.end_fetch()

    def start_fetch(self, *pmids):
        self.socket.sendall(fetch(*pmids))

    def end_fetch(self):
        code, body = self.take()
        changes = 0
        if code == ERROR:
            (changes,) = struct.unpack(">i", body)
            if changes < 0:
                return changes, []
            code, body = self.take()
        return changes, [values if values <= 0 else words[1]
                         for _, values, words in result_sets(body)]

    def close(self):
        self.socket.close()
