"""Rules over simulated hosts, for both dialects, that change often and say the same wherever in the
half second behind a whole one hosts are asked.

Levels go up by half a unit per second, and limits lie between two values. An archive's value some
tenths of a second behind a sample has as much of the next one. That matters where a level falls
from 29.5 to 0, so no rule has a limit above TOP. While LEVEL is there AHEAD is below. Samples that
come late make rates up to half as much again; limits of rates lie further away.
"""

import re

LEVEL, DISKS = "sim.single.level0", "sim.disks.level0"
AHEAD = f"{DISKS} #disk30"  # by half of the period
SINGLE, INSTANCED, INSTANCES = 14, 4, 33
FEWER = 10  # singular metrics of hosts that lack MORE
MORE = "sim.single.level1"
LACKING = {"lacks", "service"}  # the rules over it
LOOKING_BACK, LOOKS_BACK = {"rises", "falls", "wraps", "slope", "steady"}, 2  # seconds
PERIOD, TOP = 60, 20


def waves(metric, steps):
    """True for so many steps, false for as many, and false above TOP."""
    return "(" + " || ".join(f"({metric} > {low - 0.25} && {metric} < {low + steps / 2 - 0.25})"
                             for low in range(0, TOP, steps)) + ")"


def limit(step, seconds, hosts):
    """Between two levels, so that some of these hosts cross it upwards within the window."""
    middle = (seconds + hosts) // 2
    for away in range(middle - 2):
        for at in (middle + away, middle - away):
            if 1 <= (phase := (step + at) % PERIOD) <= 2 * TOP:
                return phase / 2 - 0.25
    raise ValueError("the window is too short")


def pmie(over):
    low, slow, fast = f"{LEVEL} < {over}", waves(LEVEL, 3), waves(LEVEL, 1)
    busy = "sim.disks.count0 > 5 count/sec"
    return named("pmie", f"""over = {LEVEL} > {over} -> ACT;
fast = {fast} -> ACT;
slow = {slow} -> ACT;
rises = rising {slow} -> ACT;
falls = falling {slow} -> ACT;
wraps = {LEVEL} - {LEVEL} @1 < -12 -> ACT;
slope = rate {LEVEL} < -12 -> ACT;
steady = all_sample {LEVEL} @0..2 > {over} -> ACT;
jobs = sim.single.count1 > 4 count/sec && {waves(AHEAD, 2)} -> ACT;
bytes = sim.single.bytes0 > 2 Kbyte/sec && {low} -> ACT;
reads = some_inst match_inst "disk1[6-9]" ({busy} && {waves(DISKS, 2)}) -> ACT;
queue = some_inst match_inst "disk3[0-2]" {waves(DISKS, 3)} -> ACT;
all = all_inst match_inst "disk1[0-2]" {waves(DISKS, 4)} -> ACT;
several = count_inst {waves(DISKS, 4)} > 16 -> ACT;
match = some_inst match_inst "disk3[12]" {waves(DISKS, 4)} -> ACT;
limit = sim.single.limit0 > 4500000 && {waves(AHEAD, 1)} -> ACT;
either = sim.single.offset0 < -6500000 || {waves(AHEAD, 3)} -> ACT;
lacks = {MORE} > {over} -> ACT;
state = ruleset {low} && {fast} -> ACT else {waves(AHEAD, 4)} -> ACT;
service = ruleset {MORE} < 0 -> ACT else {MORE} > {over} -> ACT unknown -> ACT;
""")


def strict(over):
    """What strict wants to be said: that counters are rates, and their units."""
    text = re.sub(r"(sim\.\w+\.(?:count|bytes)\d)", r"rate \1", pmie(over))
    text = text.replace(f"slope = rate {LEVEL} < -12", f"slope = rate {LEVEL} < -12 /sec")
    return "// pmjit: dialect=strict\n" + text.replace("pmie.", "strict.")


def named(dialect, text):
    text = re.sub(r"(?m)^(\w+) = (.*)$", rf"{dialect}.\1 = \2", text)
    return text.replace("ACT", 'print 1 hour "%h %v"')


def names(rules):
    return re.findall(r"(?m)^([\w.]+) = ", rules)


def evaluations(rules):
    """Of all at one time: each rule of a ruleset counts."""
    return len(names(rules)) + rules.count(" else ")


def is_over(level, over):
    return level > over


def is_fast(level):
    return level < TOP and level % 1 == 0
