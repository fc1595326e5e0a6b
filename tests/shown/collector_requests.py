"""The same requests, right and wrong ones, to a real pmcd and to our collector.

Used by tests/shown/collector. Answers are compared as bytes, but for what has to differ: times,
texts, and identifiers of texts, which a real pmcd sends in its own byte order.
"""

import concurrent.futures
import socket
import struct

# Where ours answers otherwise, knowingly: agent/collector/README.md.
OTHERWISE = {"an empty name", "compression in CREDS", "labels in CREDS", "a container in CREDS",
             "a profile of state 7"}


def pdu(code, body=b"", length=None):
    return struct.pack(">iii", 12 + len(body) if length is None else length, code, 0) + body


def words(*numbers):
    return b"".join(struct.pack(">I", number & 0xFFFFFFFF) for number in numbers)


def padded(text):
    return words(len(text)) + text + b"~" * (-len(text) % 4)


def pmid(domain, cluster, item):
    return domain << 22 | cluster << 10 | item


def indom(domain, serial):
    return domain << 22 | serial


LOAD, UPTIME, VERSION = pmid(60, 2, 0), pmid(60, 26, 0), pmid(2, 0, 7)
UNKNOWN, NO_DOMAIN = pmid(60, 2, 999), pmid(99, 0, 0)
LOADS, CPUS, NO_INDOM = indom(60, 2), indom(60, 0), indom(60, 99)
PROFILE, NOTHING = pdu(0x7002, words(0, 0, 0, 0)), pdu(0x7002, words(0, 1, 0, 0))


def creds(version=2, flags=0, kind=1):
    return pdu(0x700C, words(1) + struct.pack(">BBH", kind, version, flags))


def fetch(*pmids, context=0, code=0x7003):
    return pdu(code, words(context, 0, 0, len(pmids), *pmids))


def instance(of, number=-1, name=b""):
    return pdu(0x7006, words(of, 0, 0, number) + padded(name))


def names(*texts):
    return pdu(0x700E, words(sum(len(text) + 1 for text in texts), 0, len(texts)) +
               b"".join(map(padded, texts)))


def below(name, status=0, code=0x700F):
    return pdu(code, words(status) + padded(name))


def store(metric, *pairs):
    return pdu(0x7001, words(0, 0, 1, metric, len(pairs), *([0] if pairs else [])) +
               b"".join(words(*pair) for pair in pairs))


def cases():
    """(name, requests behind the greeting and CREDS)"""
    yield from ((f"description {name}", [pdu(0x7004, body)]) for name, body in (
        ("", words(LOAD)), ("short", b""), ("long", words(LOAD, LOAD)), ("unknown", words(UNKNOWN)),
        ("no domain", words(NO_DOMAIN))))
    yield from ((f"descriptions {name}", [pdu(0x7016, words(*body))]) for name, body in (
        ("two", (-1, 2, LOAD, UNKNOWN)), ("one", (-1, 1, UNKNOWN)),
        ("no domain", (-1, 1, NO_DOMAIN)),
        ("none", (-1, 0)), ("without -1", (0, 1, LOAD))))
    yield from ((f"fetch {name}", requests) for name, requests in (
        ("without a profile", [fetch(UPTIME)]), ("unknown", [PROFILE, fetch(UNKNOWN, NO_DOMAIN)]),
        ("context -1", [PROFILE, fetch(UPTIME, context=-1)]), ("nothing", [PROFILE, fetch()]),
        ("highres nothing", [PROFILE, fetch(code=0x7014)]),
        ("of disks, excluded", [NOTHING, fetch(pmid(60, 0, 33), LOAD)]),
        ("memory", [PROFILE, fetch(pmid(60, 1, 9), pmid(60, 1, 9))])))
    yield from ((f"instance {name}", [instance(*body)]) for name, body in (
        ("all", (LOADS,)), ("5", (LOADS, 5)), ("5 minute", (LOADS, -1, b"5 minute")),
        ("7", (LOADS, 7)), ("x", (LOADS, -1, b"x")), ("both", (LOADS, 5, b"5 minute")),
        ("first word", (LOADS, -1, b"5")), ("no domain of instances", (NO_INDOM,)),
        ("no domain", (indom(99, 0),)), ("null", (-1,))))
    yield from ((f"text {name}", [pdu(0x7008, words(*body))]) for name, body in (
        ("of nothing", (LOAD, 1)), ("unknown", (UNKNOWN, 5)), ("no domain", (NO_DOMAIN, 5)),
        ("no instances", (NO_INDOM, 9)), ("no domain's instances", (indom(99, 0), 9)),
        ("both, unknown", (UNKNOWN, 7))))
    yield "no kind of text", [pdu(0x7008, words(LOAD, 4))]
    yield from ((f"labels {name}", [pdu(0x7012, words(*body))]) for name, body in (
        ("type 3", (60, 3)), ("type 0", (60, 0)), ("domain", (60, 2)), ("no domain", (99, 2)),
        ("indom", (CPUS, 4)), ("indom none", (LOADS, 4)), ("no indom", (NO_INDOM, 4)),
        ("instances", (CPUS, 32)), ("instances none", (LOADS, 32)),
        ("no instances", (NO_INDOM, 32)), ("cluster", (pmid(60, 0, 0), 8)),
        ("item", (pmid(60, 0, 20), 16)), ("item none", (LOAD, 16)),
        ("item unknown", (UNKNOWN, 16)), ("item no domain", (NO_DOMAIN, 16)),
        ("large domain", (-1, 2)), ("context", (-1, 1)), ("context 5", (5, 1)),
        ("no domain's indom", (indom(99, 0), 4))))
    yield from ((f"names {name}", [names(*body)]) for name, body in (
        ("one", (b"kernel.all.load",)), ("wrong", (b"x",)), ("inner", (b"kernel",)),
        ("two", (b"kernel", b"kernel.all.load")), ("none", ()), ("two wrong", (b"x", b"y"))))
    yield "an empty name", [names(b"")]
    yield from ((f"ids {name}", [pdu(0x700D, words(0, *body))]) for name, body in (
        ("one", (1, LOAD)), ("unknown", (1, UNKNOWN)), ("no domain", (1, NO_DOMAIN)),
        ("two", (2, LOAD, UPTIME)), ("derived", (1, pmid(511, 1, 1)))))
    yield from ((f"below {name.decode()} {status} {code:x}", [below(name, status, code)])
                for name in (b"kernel.all.load", b"x", b"kernel.", b"root", b"kernel.uname")
                for status, code in ((0, 0x700F), (1, 0x700F), (0, 0x7010)))
    yield from ((f"store {name}", [store(*body)]) for name, body in (
        ("of linux", (LOAD, (1, 5))), ("unknown", (UNKNOWN, (-1, 5))),
        ("no domain", (NO_DOMAIN, (-1, 5))), ("no value", (LOAD,)), ("version", (VERSION, (-1, 5))),
        ("unknown of pmcd", (pmid(2, 9, 9), (-1, 5))), ("PDUs", (pmid(2, 1, 0), (-1, 5))),
        ("feature", (pmid(2, 8, 0), (-1, 5))), ("host name", (pmid(2, 0, 21), (-1, 5)))))
    yield "store nothing", [pdu(0x7001, words(0, 0, 0))]
    yield from ((f"PDU {code:x}", [pdu(code, b"abcd")])
                for code in (0x7000, 0x7005, 0x700A, 0x700B, 0x7011, 0x7015, 0x7999, 0x8000))
    yield from ((f"profile {name}", [pdu(0x7002, words(*body))]) for name, body in (
        ("short", (0, 0, 0)), ("negative", (0, 0, -1, 0))))
    yield "a profile of state 7", [pdu(0x7002, words(0, 7, 0, 0))]
    yield "CREDS twice", [creds()]
    yield "unknown CREDS", [creds(kind=9)]
    yield from ((f"length {length}", [pdu(0x7004, b"", length)]) for length in (-1, 0, 4, 70000))
    yield from ((f"code {code}", [pdu(code)]) for code in (-1, 0))


def first_requests():
    """The same, with what comes first."""
    yield "no CREDS", [pdu(0x7004, words(LOAD))]
    yield "CREDS without a version", [creds(version=0), PROFILE]
    yield "compression in CREDS", [creds(flags=2)]
    yield "labels in CREDS", [creds(flags=0x200)]
    yield "a container in CREDS", [creds(flags=0x40), pdu(0x7011, words(15) + b"x")]
    for name, requests in cases():
        yield name, [creds(), *requests]


def talk(port, requests):
    """What comes back; `end`: the connection ended, `open`: it did not."""
    out = []
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(1)
        try:
            take(client)
            for request in requests:
                client.sendall(request)
            while True:
                out.append(masked(take(client)))
        except TimeoutError:
            out.append("open")
        except OSError:
            out.append("end")
    return out


def take(client):
    got = b""
    wanted = 12
    while len(got) < wanted:
        more = client.recv(wanted - len(got))
        if not more:
            raise ConnectionError
        got += more
        if len(got) == 12:
            wanted = struct.unpack(">i", got[:4])[0]
    return got


def masked(answer):
    code = struct.unpack(">i", answer[4:8])[0]
    if code == 0x7009:
        return answer[4:8].hex()
    return (answer[:12] + answer[20:] if code == 0x7001 else answer).hex()


def compare_requests(ours, real):
    """What is answered otherwise; prints how many are alike."""
    count = otherwise = 0
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        both = pool.map(lambda case: (case[0], [talk(port, case[1]) for port in (ours, real)]),
                        first_requests())
    for name, answers in both:
        count += 1
        if name in OTHERWISE:
            otherwise += 1
            if answers[0] == answers[1]:
                yield f"request {name}: the answers are alike, and that was not expected"
        elif answers[0] != answers[1]:
            yield f"request {name}: {answers[0]}, not {answers[1]}"
    print(f"requests: {count - otherwise} have to be answered alike, {otherwise} otherwise")
