"""Seeds of the fuzz targets: python3 tests/fuzz/seeds.py TARGET CORPUS

grammar  every expression of every case
ir       every IR text of a case
archive  every golden archive, its files one behind the other
compressed  every golden compressed file, behind the number of its format
"""

import hashlib
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
LARGEST_SEED = 65536
# In the order of kCompressionSuffixes (runtime/archive/format/compression.h).
SUFFIXES = [".xz", ".lzma", ".bz2", ".bz", ".gz", ".Z", ".z", ".zst"]


def sections(path, wanted):
    """The texts of the `--- wanted` sections of a case."""
    text = path.read_text()
    for part in re.split(r"(?m)^--- ", text)[1:]:
        head, _, body = part.partition("\n")
        if re.match(wanted, head):
            yield body.encode()


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
    elif target == "archive":
        # One file behind the other, as archive_fuzz.cc takes them apart again.
        for meta in sorted(TESTS.glob("golden/archives/*.meta")):
            volumes = sorted(meta.parent.glob(meta.stem + ".[0-9]*"))
            yield meta.read_bytes() + b"".join(v.read_bytes() for v in volumes)
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
