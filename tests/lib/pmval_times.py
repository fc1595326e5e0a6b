"""Values by time, of what pmval prints and of what `pmjit eval -o csv-wide` does, for the scripts
of tests/shown that compare the two.

A time's known values are compared as a whole, in any order, for the headings of pmval cannot be
told apart. Example:

    difference(of_pmval(theirs), of_pmjit(ours))  →  None, or where and what
"""

import csv
import datetime
import math
import re

LINE = re.compile(r"\w{3} (\w{3} [ \d]\d \d\d:\d\d:\d\d)\.(\d{6,7}) (\d{4}) +(.*)$")
BELOW_ZERO = "!"  # of a raw counter, whatever its value is; of a rate it means that there is none
EPOCH = datetime.datetime(1970, 1, 1)


def numbers(cells):
    out = []
    for cell in cells:
        try:
            out.append(float(cell))
        except ValueError:
            pass  # "?", "!" and nothing: not known
    return sorted(out, key=lambda number: (math.isnan(number), number))


def equal(x, y, slack):
    if x is BELOW_ZERO:
        return y < 0
    return math.isclose(x, y, rel_tol=1e-6, abs_tol=slack) or (math.isnan(x) and math.isnan(y))


def of_pmval(text, raw=False):
    """Microseconds since the epoch → the known values. `raw`: printed with -r."""
    out = {}
    for found in filter(None, map(LINE.match, text.splitlines())):
        stamp = datetime.datetime.strptime(f"{found[1]} {found[3]}", "%b %d %H:%M:%S %Y")
        micros = (stamp - EPOCH) // datetime.timedelta(microseconds=1) + int(found[2])
        cells = [] if "No values" in found[4] else found[4].split()
        below = cells.count(BELOW_ZERO) if raw else 0
        out[micros] = [BELOW_ZERO] * below + numbers(cells)
    return out


def of_pmjit(text):
    out = {}
    for row in list(csv.reader(text.splitlines()))[1:]:
        whole, _, fraction = row[0].rstrip("Z").partition(".")
        stamp = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S")
        micros = (stamp - EPOCH) // datetime.timedelta(microseconds=1)
        out[micros + int(fraction[:6].ljust(6, "0"))] = numbers(row[1:])
    return out


def difference(theirs, ours, slack=1e-9):
    last = max(theirs, default=0)
    times = set(theirs) | {time for time in ours if time <= last}
    for time in sorted(times):
        if time == min(times) and not theirs.get(time):
            continue  # pmval starts at a whole microsecond, which may be before the first record
        a, b = theirs.get(time, []), ours.get(time, [])
        if len(a) != len(b) or not all(equal(x, y, slack) for x, y in zip(a, b)):
            return f"{time}: pmval {a[:4]}, pmjit {b[:4]}"
    return None
