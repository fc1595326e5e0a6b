"""Seeds of the fuzz targets: python3 tests/fuzz/seeds.py TARGET CORPUS

grammar  every expression of every case
ir       every IR text of a case
archive metadata replay summary tools
         every golden archive, its files one behind the other; archives with every kind of record
         (archive_seed.py); two that follow each other; for tools each with every call
pmns     every name space and every text to pre-process of the golden tables and cases
compressed  every golden compressed file, behind the number of its format
"""

import hashlib
import itertools
import pathlib
import re
import sys

import archive_seed

TESTS = pathlib.Path(__file__).resolve().parent.parent
LARGEST_SEED = 65536
CALLS = 12  # of tools_fuzz.cc
ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"\\": b"\\"}
# In the order of kCompressionSuffixes (runtime/archive/format/compression.h).
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
    elif target == "ir":
        for case in cases:
            yield from sections(case, r"(expect )?ir")
    elif target in ("archive", "metadata", "replay", "summary"):
        yield from archives()
    elif target == "tools":
        for number, seed in itertools.product(range(CALLS), archives()):
            yield bytes([number, 1]) + seed
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


def main():
    target, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    for seed in seeds(target):
        if 0 < len(seed) <= LARGEST_SEED:
            (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


main()
