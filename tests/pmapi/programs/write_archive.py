"""Archives by way of libpcp_import, V2 and V3; their files in hexadecimal, but for the pid."""

import contextlib
import pathlib
import sys
import tempfile

from pcp import pmi

NO_DOMAIN = 0xffffffff
TEXT_OF_METRIC, TEXT_OF_DOMAIN, ONE_LINE, LONG = 4, 8, 1, 2
LABEL_OF_CONTEXT, LABEL_OF_DOMAIN, LABEL_OF_INSTANCE = 1, 4, 32
PID_AT, LINE = slice(8, 12), 32


def write(base, version):
    log = pmi.pmiLogImport(base, 0)
    log.pmiSetVersion(version)
    log.pmiSetHostname("web01.example")
    log.pmiSetTimezone("CET-1CEST")
    disks = log.pmiInDom(245, 1)
    reads, model = log.pmiID(245, 0, 1), log.pmiID(245, 0, 2)
    none, count, speed = (log.pmiUnits(*six) for six in (
        (0, 0, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0), (1, -1, 0, 2, 3, 0)))
    log.pmiAddMetric("own.load", log.pmiID(245, 0, 0), 4, NO_DOMAIN, 3, none)
    log.pmiAddMetric("own.disk.reads", reads, 3, disks, 1, count)
    log.pmiAddMetric("own.disk.model", model, 6, disks, 4, speed)
    log.pmiAddInstance(disks, "nvme 0", 1)
    log.pmiAddInstance(disks, "sda", 2)
    log.pmiPutText(TEXT_OF_METRIC, ONE_LINE, reads, "what a disk has read")
    log.pmiPutText(TEXT_OF_METRIC, LONG, reads, "What a disk has read\nsince the start.")
    log.pmiPutText(TEXT_OF_DOMAIN, ONE_LINE, disks, "disks")
    log.pmiPutLabel(LABEL_OF_CONTEXT, 0, 0, "site", "north")
    log.pmiPutLabel(LABEL_OF_DOMAIN, disks, 0, "kind", "disk")
    log.pmiPutLabel(LABEL_OF_INSTANCE, disks, 1, "slot", "7")
    log.pmiPutValue("own.load", "", "0.25")
    log.pmiPutValue("own.disk.reads", "nvme 0", "4200000000000000")
    log.pmiPutValue("own.disk.reads", "sda", "12")
    log.pmiWrite(1_300_000_000, 123_456)
    log.pmiAddInstance(disks, "sdb", 3)
    log.pmiPutValue("own.disk.reads", "sdb", "99")
    log.pmiPutValue("own.disk.model", "sdb", "a text")
    log.pmiWrite(1_300_000_010, 0)
    log.pmiPutMark()
    log.pmiPutValue("own.load", "", "1")
    log.pmiWrite(1_300_000_100, 5)
    del log


def show(path):
    text = bytearray(path.read_bytes())
    text[PID_AT] = bytes(4)
    print(path.name, len(text))
    for at in range(0, len(text), LINE):
        if any(text[at:at + LINE]):
            print(f"{at:6} {text[at:at + LINE].hex()}")


def main():
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for version in (2, 3):
            base = pathlib.Path(f"v{version}")
            write(str(base), version)
            for suffix in ("index", "meta", "0"):
                show(base.with_suffix(f".{suffix}"))
            try:
                write(str(base), version)
            except pmi.pmiErr as error:
                print("again:", error.message())


sys.exit(main())
