"""Seeds of the fuzz targets: python3 tests/fuzz/seeds.py TARGET CORPUS

grammar  every expression of every case
derived  every golden definition file and the tests' own, as both dialects; definitions put
         together from the language's words and the names that derived_fuzz.cc has, also as strict
definitions  the same, and every expression of every case; strict refuses a file for one mistake,
         so also files of one definition
ir       every IR text of a case
rules    every golden rule file and every `--- rules` of a case, by each way of reading
rule_tests  every case of rules
archive metadata replay grid summary tools
         every golden archive, its files one behind the other; archives with every kind of record
         (archive_seed.py); two that follow each other; for tools each with every call
daemon_config  the configurations of the daemon's tests and manual, and each line of them
pmns     every name space and every text to pre-process of the golden tables and cases
compressed  every golden compressed file, behind the number of its format
host_spec  every specification of the golden table; names of containers that just fit, or do not
wire     every recorded PDU and every PDU of a case behind the number of its sender, and those of
         each recorded file in a row
agent_answers  what agents sent, behind a greeting
agent_requests  what pmcd sent to agents, each PDU alone and those of each file in a row
help_texts  the compiled texts of the golden files, behind the length of the first
pmcd_conf  every configuration of the golden vectors, its access file behind a NUL
collector  what clients sent, each PDU alone and those of each file in a row, for our metrics
"""

import hashlib
import itertools
import pathlib
import random
import re
import struct
import sys

import archive_seed

TESTS = pathlib.Path(__file__).resolve().parent.parent
LARGEST_SEED = 65536
CALLS = 12  # of tools_fuzz.cc
ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"\\": b"\\"}
# In the order of kCompressionSuffixes (runtime/archive/format/decompressor.h).
SUFFIXES = [".xz", ".lzma", ".bz2", ".bz", ".gz", ".Z", ".z", ".zst"]


def sections(path, wanted):
    """The texts of the `--- wanted` sections of a case."""
    text = path.read_text()
    for part in re.split(r"(?m)^--- ", text)[1:]:
        head, _, body = part.partition("\n")
        if re.match(wanted, head):
            yield body.encode()


def unescaped(field):
    """Of a table of tests/golden/pmapi."""
    return re.sub(rb"\\(x[0-9a-f]{2}|.)",
                  lambda found: ESCAPES.get(found[1]) or bytes([int(found[1][1:], 16)]),
                  field.encode())


def archives():
    """One file behind the other, as archive_input.cc takes them apart again."""
    golden = {}
    for meta in [*sorted(TESTS.glob("golden/archives/*.meta")),
                 *sorted(TESTS.glob("golden/tools/data/*.meta"))]:
        volumes = sorted(meta.parent.glob(meta.stem + ".[0-9]*"))
        members = [meta, meta.with_suffix(".index"), *volumes]
        golden[meta.stem] = b"".join(m.read_bytes() for m in members if m.exists())
    yield from golden.values()
    yield golden["ma"] + golden["mb"]
    for version in (2, 3):
        yield archive_seed.archive(version)
        yield archive_seed.archive(version) + archive_seed.second_archive(5 - version)


METRICS = """disk.dev.read disk.dev.write disk.all.read hinv.ncpu hinv.physmem hinv.nfilesys
hinv.machine mem.physmem mem.util.used kernel.all.load kernel.all.cpu.user
sample.long.million sample.ulong.million
sample.longlong.million sample.ulonglong.million sample.float.million sample.double.million
sample.long.bin_ctr sample.ulong.bin_ctr sample.longlong.bin_ctr sample.ulonglong.bin_ctr
sample.float.bin_ctr sample.double.bin_ctr sample.colour sample.string.null sample.aggregate.hullo
sample.event.records undescribed no.such""".split()
UNITS = ["byte", "Kbyte", "Tbyte", "sec", "nanosec", "hour", "count", "Kbyte/sec", "byte^7",
         "count/sec"]
OPERATORS = "+ + - - * * / / < <= == >= > != && ||".split()


def tags(rng, newer):
    some = [f"type={rng.choice(['32', 'U32', '64', 'U64', 'float', 'double'])}",
            f"semantics={rng.choice(['counter', 'instant', 'discrete'])}",
            f'units="{rng.choice(UNITS)}"']
    if newer:
        some += [f"indom={rng.choice(['60.1', '29.2', 'null'])}", f"meta={rng.choice(METRICS)}"]
    return ", ".join(rng.sample(some, rng.randint(1, 3)))


def expression(rng, newer, depth):
    kind = rng.random() if depth > 0 else 0
    deeper = lambda: expression(rng, newer, depth - 1)
    if kind < .2:
        return rng.choice(METRICS)
    if kind < .3:
        number = rng.choice(["0", "1", "2.5", "4294967295", "."])
        return rng.choice([number, f"mkconst({number}, {tags(rng, newer)})"])
    if kind < .45:
        word = rng.choice("avg count max min sum defined delta rate instant".split())
        of_any = newer and word in ("delta", "rate", "instant")
        return f"{word}({deeper() if of_any else rng.choice(METRICS)})"
    if kind < .55:
        pattern = rng.choice(["", "!"]) + rng.choice(["/sd[ac]/", "/b|c/", "/^./"])
        return rng.choice([f"scalar({deeper()})", f'rescale({deeper()}, "{rng.choice(UNITS)}")',
                           f"matchinst({pattern}, {deeper()})",
                           f"({deeper()})[sd{rng.choice('abcdef')}]"])
    if kind < .6:
        return rng.choice("-!") + deeper()
    if kind < .72:
        arms = [deeper(), deeper()]
        if newer and rng.random() < .4:
            arms[rng.randrange(2)] = f"novalue({rng.choice(['', tags(rng, newer)])})"
        return f"({deeper()} ? {arms[0]} : {arms[1]})"
    return f"({deeper()} {rng.choice(OPERATORS)} {deeper()})"


def definitions(number):
    """A definition file; odd ones have the newer dialect's words."""
    rng = random.Random(number)
    lines = [f"t.m{i} = {expression(rng, number % 2, rng.randint(1, 4))}" for i in range(8)]
    lines.insert(4, rng.choice(["t.m0(oneline) = 'a\\'\nb'", "t.x = t.m1", "#control o=1",
                                "t.m2 = t.m2 + t.m1"]))
    return "\n".join(lines).encode() + b"\n"


def pdu_of(case):
    """The bytes of a wire case: hexadecimal words and texts in quotes, up to a comment."""
    out = b""
    for line in next(sections(case, "bytes")).decode().splitlines():
        for word in re.findall(r'"[^"]*"|#.*|\S+', line):
            if word.startswith("#"):
                break
            out += word[1:-1].encode() if word.startswith('"') else bytes.fromhex(word)
    return out


def case_pdus():
    senders = ["client", "collector", "collector-to-agent", "agent", "logger"]
    for case in sorted(TESTS.glob("cases/wire/*.case")):
        sender = re.search(r"(?m)^#: from: (\S+)", case.read_text())[1]
        yield bytes([senders.index(sender)]) + pdu_of(case)


def pdus():
    senders = {"C": 0, "S": 1, "M": 2, "A": 3}  # kRoutes of wire_fuzz.cc
    for path in sorted(TESTS.glob("golden/wire/*.hex")):
        streams = {}
        for line in path.read_text().splitlines():
            side, _, text = line.partition(" ")
            if side[:1] in senders and text.startswith("00"):
                pdu, sender = bytes.fromhex(text), senders[side[0]]
                streams[sender] = streams.get(sender, b"") + pdu
                yield bytes([sender]) + pdu
        yield from (bytes([sender]) + stream for sender, stream in streams.items())
    for number, body in ((0, "0000000b000000020000000100000000"), (2, "00000003"),
                         (3, "00" * 48 + "000000010000000000000000" * 3)):
        pdu = struct.pack(">III", 12 + len(body) // 2, 0x8000 + number, 0) + bytes.fromhex(body)
        yield bytes([4]) + pdu


def seeds(target):
    cases = sorted(TESTS.glob("cases/**/*.case"))
    if target == "grammar":
        for case in cases:
            for body in sections(case, r"expr\b|definitions"):
                yield body
                yield from body.splitlines()
        for path in sorted(TESTS.glob("unit/parse/data/*.txt")):
            for line in path.read_bytes().splitlines():
                yield re.sub(rb"^[DP]\d\d ", b"", line)
    elif target == "derived":
        files = [
            *TESTS.glob("golden/derived/**/*.conf"),
            *TESTS.glob("unit/compat_registry/data/*.conf"),
        ]
        for number, path in enumerate(sorted(files)):
            for dialect in b"\0\1":
                yield bytes([dialect, number]) + path.read_bytes()
        for line in (TESTS / "unit/compat_definitions/data/syntax.txt").read_bytes().splitlines():
            text = line.partition(b" ")[2].rpartition(b" => ")[0]
            yield b"\1\0t.x = " + text + b"\n"
        for number in range(300):
            yield bytes([number % 2, number % 256]) + definitions(number)
        for number in range(500):
            text = expression(random.Random(number), True, 1 + number % 3)
            yield bytes([2, number % 256]) + f"t.m = {text}\n".encode()
    elif target == "definitions":
        for case in cases:
            for body in sections(case, r"expr\b"):
                lines = [line for line in body.splitlines() if line]
                yield b"\0" + b"".join(b"t.m%d = %s\n" % pair for pair in enumerate(lines))
            for body in sections(case, "definitions"):
                yield from (bytes([dialect]) + body for dialect in range(4))
        for number, path in enumerate(sorted(TESTS.glob("golden/derived/**/*.conf"))):
            yield bytes([number % 16]) + path.read_bytes()
        for number in range(80):
            yield bytes([number % 16]) + definitions(number)
        for number in range(500):  # strict refuses a file for one mistake
            rng = random.Random(number)
            text = expression(rng, True, 1 + number % 3)
            yield bytes([number % 8 * 2]) + f"t.m = {text}\n".encode()
    elif target == "ir":
        for case in cases:
            yield from sections(case, r"(expect )?ir")
    elif target == "rules":
        texts = [path.read_bytes() for path in sorted(TESTS.glob("golden/rules/**/*.pmie"))]
        for case in cases:
            texts += sections(case, r"rules")
        yield from (bytes([how]) + text for how in range(4) for text in texts)
    elif target == "rule_tests":
        yield from (case.read_bytes() for case in sorted(TESTS.glob("cases/rules/*.case")))
    elif target in ("archive", "metadata", "replay", "grid", "summary"):
        yield from archives()
    elif target == "tools":
        for number, seed in itertools.product(range(CALLS), archives()):
            yield bytes([number, 1]) + seed
    elif target == "daemon_config":
        yield from configurations()
    elif target == "pmns":
        for table, column in (("pmcpp.tsv", 1), ("pmnsfile.tsv", 2)):
            for line in (TESTS / "golden/pmapi" / table).read_text().splitlines()[1:]:
                yield unescaped(line.split("\t")[column])
        for path in sorted(TESTS.glob("golden/tools/data/*.pmns")):
            yield path.read_bytes() + b"\0" + path.read_bytes()
        yield b'#include "f1"\n#shell "x"\nroot {\n a A\n}\n\0#define A 1:2:3\n'
    elif target == "compressed":
        for path in sorted(TESTS.glob("golden/compressed/*.*")):
            if path.suffix in SUFFIXES:
                yield bytes([SUFFIXES.index(path.suffix)]) + path.read_bytes()
    elif target == "host_spec":
        for line in (TESTS / "golden/pmapi/hostspec.tsv").read_text().splitlines()[1:]:
            yield unescaped(line.split("\t")[0])
        for length in (4095, 4096):  # the longest that a request has room for
            yield b"web1?container=" + b"x" * length
    elif target == "wire":
        yield from pdus()
        yield from case_pdus()
    elif target == "collector":
        yield from client_streams()
    elif target == "agent_answers":
        creds = struct.pack(">iiiiBBH", 20, 0x700C, 0, 1, 1, 2, 0x44)
        opened = struct.pack(">iiii", 16, 0x7000, 0, 6)  # by the host of a shared object
        left = struct.pack(">iiii", 16, 0x7000, 0, -20_001)  # in memory
        for pdu in itertools.chain(pdus(), case_pdus()):
            if pdu[0] == 3:
                yield b"\x00" + creds + pdu[1:]
                yield b"\x07" + creds + pdu[1:] * 3
                yield b"\xc0" + opened + creds + pdu[1:]
                if len(pdu) < 16_000:
                    in_memory = struct.pack(">H", len(pdu) - 1) + pdu[1:]
                    yield b"\xe4" + in_memory + opened + creds + left
    elif target == "agent_requests":
        for path in sorted(TESTS.glob("golden/agents/agent-pdus/*.pdus")):
            sent = [bytes.fromhex(line.split()[-1]) for line in path.read_text().splitlines()
                    if line.startswith("pmcd") and not line.endswith("EOF")]
            yield from [*sent, b"".join(sent)]
    elif target == "help_texts":
        places, texts = ((TESTS / f"golden/agents/help/help.{end}").read_bytes()
                         for end in ("dir", "pag"))
        yield struct.pack(">H", len(places)) + places + texts
        yield struct.pack(">H", 4) + places[:4]  # no whole row
    elif target == "pmcd_conf":
        text = (TESTS / "golden/pmcd_conf/vectors.txt").read_text()
        for case in text.split("=== ")[1:]:
            conf, _, access = case.split("--- expect")[0].partition("--- access\n")
            yield conf.partition("\n")[2].encode() + (b"\0" + access.encode() if access else b"")


def configurations():
    """Texts of the tests' sources and fenced blocks of the manual that have a table of TOML."""
    root = TESTS.parent
    for path in [*sorted(TESTS.glob("unit/daemon_config/*.cc")), *sorted(TESTS.glob("shown/*")),
                 *sorted(root.glob("rules/**/*.md"))]:
        if not path.is_file():
            continue
        text = path.read_text()
        for found in re.finditer(r'R"\w*\((.*?)\)\w*"|```toml\n(.*?)```|"""(.*?)"""', text, re.S):
            body = next(part for part in found.groups() if part is not None)
            if re.search(r"(?m)^\[", body):
                yield body.encode()
                yield from (line.encode() + b"\n" for line in body.splitlines() if line)
    for line in (b"[\x1brules]]\n", b"[a.'*']\n", b"[[rules]]\nlabels = {a='b'}\n"):
        yield line


def client_streams():
    """Requests of the recordings, whose metrics (domains 29 and 253) become those of 60 and 2."""
    for pdu in itertools.chain(pdus(), case_pdus()):
        if pdu[0] == 0:
            for domain in (60, 2):
                body = pdu[1:]
                for old in (29, 253):
                    body = re.sub(re.escape(bytes([old >> 2])) + rb"[\x00-\xff]{3}",
                                  lambda m: struct.pack(">I", domain << 22 | 4), body)
                yield b"\x00" + body
                yield b"\x07" + body
                yield b"\xff\1\1\1" + bytes(~each & 0xFF for each in body)  # in its TLS
            yield b"\xc0" + pdu[1:]


def main():
    target, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    for seed in seeds(target):
        if 0 < len(seed) <= LARGEST_SEED:
            (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


main()
