"""Archives with every kind of record, as seeds of the archive targets: archive(2), archive(3).

Small, and written here from the description of the format, for ArchiveWriter writes only what a
recording of numbers and texts needs. What it says is nonsense; what counts is that every reader has
something to read.
"""

import struct

START = 1_700_000_000
PID, HOST = 1234, b"vec.example"
CONTEXT, DOMAIN, INDOM, CLUSTER, ITEM, INSTANCES = 1, 2, 4, 8, 16, 32
NONE = 0xFFFFFFFF
DISKS, BIG = 60 << 22 | 1, 60 << 22 | 2
# name: (type, semantics, domain); the item of the PMID is the place in this list
METRICS = {
    "a.i32": (0, 1, DISKS), "a.u32": (1, 1, NONE), "a.i64": (2, 3, DISKS), "a.u64": (3, 1, DISKS),
    "a.f32": (4, 3, NONE), "a.f64": (5, 1, DISKS), "a.text": (6, 4, DISKS), "a.blob": (7, 3, NONE),
    "a.static": (8, 4, NONE), "a.events": (9, 3, DISKS), "a.highres": (10, 3, NONE),
    "a.old": (4, 1, NONE), "a.big": (1, 4, BIG), "a.unknown": (-1, 3, NONE),
}
PMIDS = {name: 60 << 22 | 1 << 10 | item for item, name in enumerate(METRICS)}


def framed(payload):
    length = struct.pack(">I", len(payload) + 8)
    return length + payload + length


def padded(data):
    return data + b"~" * (-len(data) % 4)


class Seed:
    """The files of one archive."""

    def __init__(self, version, start=START):
        self.version, self.start = version, start
        self.files = {number: self.label(number) for number in (-1, -2, 0)}

    def stamp(self, seconds):
        whole, nano = int(self.start + seconds), int(seconds % 1 * 1e9)
        if self.version == 2:
            return struct.pack(">iI", whole, nano // 1000)
        return struct.pack(">III", whole & NONE, whole >> 32, nano)

    def label(self, number):
        head = struct.pack(">Ii", 0x50052600 | self.version, PID) + self.stamp(0)
        head += struct.pack(">i", number)
        if self.version == 2:
            return framed(head + HOST.ljust(64, b"\0") + b"UTC".ljust(40, b"\0"))
        return framed(head + bytes(8) + HOST.ljust(256, b"\0") + b"UTC".ljust(256, b"\0") +
                      b":Etc/UTC".ljust(256, b"\0"))

    def meta(self, payload):
        self.files[-1] += framed(payload)

    def describe(self, name, *more_names):
        kind, semantics, indom = METRICS[name]
        names = [n.encode() for n in (name, *more_names)]
        self.meta(struct.pack(">IIiIIII", 1, PMIDS[name], kind, indom, semantics, 0x00100000,
                              len(names)) +
                  b"".join(struct.pack(">I", len(n)) + n for n in names))

    def instances(self, seconds, indom, names, gone=(), delta=False):
        """`names`: by identifier; of a delta what came."""
        entries = sorted([*((i, n) for i, n in names.items()), *((i, None) for i in gone)])
        offsets, strings = [], b""
        for _, name in entries:
            offsets.append(-1 if name is None else len(strings))
            strings += b"" if name is None else name.encode() + b"\0"
        kind = 6 if delta else 2 if self.version == 2 else 5
        self.meta(struct.pack(">I", kind) + self.stamp(seconds) +
                  struct.pack(">Ii", indom, len(entries)) +
                  b"".join(struct.pack(">i", i) for i, _ in entries) +
                  b"".join(struct.pack(">i", o) for o in offsets) + strings)

    def labels(self, seconds, kind, ident, sets):
        """`sets`: (instance, {name: value}, flags), or (instance, error)."""
        out = struct.pack(">I", 3 if self.version == 2 else 7) + self.stamp(seconds)
        out += struct.pack(">iIi", kind, ident, len(sets))
        for instance, labels, *flags in sets:
            if isinstance(labels, int):
                out += struct.pack(">iii", instance, 0, labels)
                continue
            json, entries = "{", b""
            for name, value in labels.items():
                json += "," if entries else ""
                entries += struct.pack(">HBBHH", len(json) + 1, len(name), kind | sum(flags),
                                       len(json) + len(name) + 3, len(value))
                json += f'"{name}":{value}'
            json += "}"
            out += struct.pack(">ii", instance, len(json)) + json.encode()
            out += struct.pack(">i", len(labels)) + entries
        self.meta(out)

    def text(self, kind, ident, text):
        self.meta(struct.pack(">III", 4, kind, ident) + text.encode() + b"\0")

    def index(self, seconds, volume=0):
        meta, data = len(self.files[-1]), len(self.files[volume])
        offsets = struct.pack(">ii" if self.version == 2 else ">qq", meta, data)
        self.files[-2] += self.stamp(seconds) + struct.pack(">i", volume) + offsets

    def record(self, seconds, sets, volume=0):
        """`sets`: (name, {instance: block or number}) or (name, numval)."""
        head = self.stamp(seconds) + struct.pack(">i", len(sets))
        size = 4 + len(head)
        for _, values in sets:
            size += 8 + (4 + 8 * len(values) if isinstance(values, dict) and values else 0)
        pairs, blocks = b"", b""
        for name, values in sets:
            pairs += struct.pack(">I", PMIDS[name])
            if not isinstance(values, dict) or not values:
                pairs += struct.pack(">i", values or 0)
                continue
            in_place = isinstance(next(iter(values.values())), int)
            pairs += struct.pack(">ii", len(values), 0 if in_place else 1)
            for instance, value in values.items():
                if not in_place:
                    index = (size + len(blocks)) // 4 + 2
                    kind = METRICS[name][0] & 0xFF
                    blocks += padded(struct.pack(">I", kind << 24 | len(value) + 4) + value)
                    value = index
                pairs += struct.pack(">iI", instance, value & NONE)
        self.files.setdefault(volume, self.label(volume))
        self.files[volume] += framed(head + pairs + blocks)


def event(kind, seconds, flags, parameters=None, missed=0):
    """`parameters`: (metric, type, data)."""
    out = struct.pack(">ii" if kind == 9 else ">qq", START + seconds, 250)
    parameters = parameters or []
    out += struct.pack(">Ii", flags, missed or len(parameters))
    for name, of_type, data in parameters:
        out += struct.pack(">II", PMIDS[name], of_type << 24 | len(data) + 4) + padded(data)
    return out


def events(kind, *records):
    return struct.pack(">i", len(records)) + b"".join(records)


def metadata(seed):
    for name in METRICS:
        seed.describe(name, *(["b.other"] if name == "a.i32" else []))
    seed.instances(0, DISKS, {1: "sda", 2: "sdb one", 3: "sdc"})
    seed.instances(0, BIG, {i: f"cpu{i}" for i in range(17)})
    seed.instances(10, DISKS, {})
    if seed.version == 3:
        seed.instances(20, DISKS, {4: "sdd"}, gone=[2], delta=True)
        seed.instances(30, BIG, {}, gone=[5, 6], delta=True)
    else:
        seed.instances(20, DISKS, {1: "sda", 3: "sdc", 4: "sdd"})
        seed.instances(30, BIG, {i: f"cpu{i}" for i in range(17) if i not in (5, 6)})
    seed.labels(0, CONTEXT, NONE, [(-1, {"hostname": '"vec"', "n": "7"})])
    seed.labels(0, DOMAIN, 60, [(-1, {"agent": '"x"'}, 128)])
    seed.labels(0, INDOM, DISKS, [(-1, {"kind": '"disk"'})])
    seed.labels(0, CLUSTER, 60 << 22 | 1 << 10, [(-1, {"c": "true"})])
    seed.labels(0, ITEM, PMIDS["a.i32"], [(-1, {"i": '{"a":1}'}, 64)])
    seed.labels(0, ITEM, PMIDS["a.u32"], [(-1, -12365)])
    for seconds, value in ((0, '"1"'), (20, '"2"')):
        seed.labels(seconds, INSTANCES, DISKS, [(1, {"lun": value}), (3, {"lun": '"3"'})])
    for kind in (1, 2):
        seed.text(kind + 4, PMIDS["a.i32"], "one line" if kind == 1 else "several\nlines")
        seed.text(kind + 8, DISKS, "disks")


def values(seed, seconds, n):
    number = struct.pack
    parameters = [("a.i32", 0, number(">i", n)), ("a.u64", 3, number(">Q", n)),
                  ("a.f64", 5, number(">d", n / 2)), ("a.text", 6, b"t%d\0" % n),
                  ("a.blob", 7, b"\1\2\3")]
    three = (1, 3, 4) if n > 2 else (1, 2, 3)
    return [
        ("a.i32", {i: -n * i for i in three}),
        ("a.u32", {-1: NONE - 5 + n}),
        ("a.i64", {i: number(">q", -n * i) for i in three}),
        ("a.u64", {i: number(">Q", 100 * n + i) for i in three}),
        ("a.f32", {-1: number(">f", n / 3)}),
        ("a.f64", {i: number(">d", n * i / 3) for i in three}),
        ("a.text", {i: b"text%d\0" % (n * i) for i in three}),
        ("a.blob", {-1: bytes(range(n))}),
        ("a.static", {-1: b"abc"}),
        ("a.events", {1: events(9, event(9, seconds, 1, parameters), event(9, seconds, 1 << 31,
                                                                           missed=3)),
                      3: events(9)}),
        ("a.highres", {-1: events(10, event(10, seconds, 0x1E, parameters[:2]),
                                  event(10, seconds, 0))}),
        ("a.old", {-1: struct.unpack(">I", number(">f", n))[0]}),
        ("a.big", {i: n + i for i in range(17) if n <= 3 or i not in (5, 6)}),
        ("a.unknown", -12357),
    ]


def archive(version):
    """One file behind the other."""
    seed = Seed(version)
    metadata(seed)
    for n in range(1, 7):
        seconds, volume = 10 * (n - 1), 0 if n < 5 else 1
        seed.files.setdefault(volume, seed.label(volume))
        if n in (1, 3, 5):
            seed.index(seconds, volume)
        sets = values(seed, seconds, n)
        seed.record(seconds, sets if n % 2 else sets[::2] + [("a.i64", {}), ("a.f64", -12350)],
                    volume)
        if n == 3:
            seed.record(seconds + 0.5, [], volume)  # a mark
    seed.index(50, 1)
    return b"".join(seed.files[number] for number in sorted(seed.files, key=abs))


def second_archive(version):
    """One that can follow archive(version)."""
    seed = Seed(version, START + 100)
    for name in ("a.u32", "a.u64"):
        seed.describe(name)
    seed.instances(0, DISKS, {1: "sda", 9: "sdx"})
    seed.index(0)
    for n in range(3):
        seed.record(10 * n, [("a.u32", {-1: n}), ("a.u64", {1: struct.pack(">Q", n)})])
    return b"".join(seed.files[number] for number in sorted(seed.files, key=abs))
