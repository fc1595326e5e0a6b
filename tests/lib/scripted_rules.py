"""Rules over the metrics of a script (tests/oracle/scripted_agent.py), for both dialects, and what
programs that run rules print, as one thing: by step, the truths and the actions.

Each action begins with the name of its rule, and the rule `tick` prints the step at each
evaluation: so nothing depends on the times that are printed.
"""

import json
import re

STEPS = 48
LAST = 19  # step at which the metric of the rule `ended` has a value
TICK = 'tick = scripted.step >= 0 -> print "tick %v";\n'


def spread(*pieces):
    """Values by step: (value, how many steps) one behind the other; the last one goes on."""
    out = [value for value, count in pieces for _ in range(count)]
    return out + [out[-1]] * (STEPS - len(out))


def counter(*pieces, first=1000):
    """The same of increments: a step's value is all that came up to it. ("to", value) jumps."""
    out, total = [], first
    for piece, count in pieces:
        for _ in range(count):
            total = piece[1] if isinstance(piece, tuple) else total + piece
            out.append(total)
    last = pieces[-1][0]
    while len(out) < STEPS:
        out.append(out[-1] + last)
    return out


def lacking(values, *ranges):
    """Without values in these steps, first and last one."""
    return [None if any(first <= step <= last for first, last in ranges) else value
            for step, value in enumerate(values)]


def metrics():
    """A live run begins at step 3 and ends about step 30. No rule is about a value that is missing
    for a while and comes back: in an archive it is as it was last, says PCP's interpolation. It
    also ends a value with its last record, one step earlier than it ends live: is_ended(). Rates
    are far from thresholds, for a sample may be late, and an archive's rate has a part of the next
    step."""
    return {
        "step": ("U32", "instant", "none", {"": list(range(STEPS))}),
        "load": ("DOUBLE", "instant", "none", {"": spread(
            (1.5, 6), (7.25, 1), (2, 2), (9.5, 5), (1, 3), (6.75, 2), (3, 4), (8, 9), (1, 1))}),
        "mem": ("U64", "instant", "Kbyte", {"": spread(
            (2048, 7), (550, 3), (250, 4), (700, 4), (400, 6), (4096, 1))}),
        "state": ("STRING", "discrete", "none", {"": spread(
            ("ok", 8), ("failed", 3), ("degraded", 5), ("failed", 2), ("ok", 1))}),
        "late": ("U32", "instant", "count", {"": lacking(
            spread((0, 12), (1, 4), (3, 6), (0, 1)), (0, 8))}),
        "ended": ("U32", "instant", "count", {"": lacking(
            spread((4, 10), (1, 1)), (LAST + 1, STEPS))}),
        "jobs": ("U64", "counter", "count", {"": counter(
            (10, 7), (100, 6), (0, 4), (100, 2), (("to", 760), 1), (100, 4), (10, 1), first=0)}),
        "busy": ("U32", "counter", "millisec", {"": counter(
            (100, 9), (900, 5), (50, 5), (950, 3), (0, 1))}),
        "net": ("U64", "counter", "byte", {"": counter(
            (10240, 8), (409600, 4), (20480, 7), (409600, 3), (0, 1))}),
        "disk_read": ("U64", "counter", "count", {
            "sda": counter((5, 8), (80, 4), (5, 9), (90, 4), (2, 1)),
            "sdb": counter((10, 18), (100, 4), (0, 1), first=50),
            "sdc": lacking(counter((70, 16), (3, 1)), (0, 11))}),
        "disk_queue": ("U32", "instant", "count", {
            "sda": spread((1, 7), (6, 4), (3, 5), (8, 5), (2, 1)),
            "sdb": spread((4, 9), (7, 6), (3, 4), (9, 6), (3, 1)),
            "sdc": lacking(spread((9, 15), (3, 5), (6, 4), (3, 1)), (0, 11))}),
        "disk_state": ("STRING", "discrete", "none", {
            "sda": spread(("ok", 10), ("slow", 4), ("ok", 1)),
            "sdb": spread(("ok", 18), ("failed", 5), ("ok", 1)),
            "sdc": lacking(spread(("ok", 1)), (0, 11))}),
        "full": ("DOUBLE", "instant", "none", {
            "/": spread((50, 20), (92.5, 4), (51, 1)),
            "/home old": spread((80, 9), (95.25, 3), (85, 1)),
            "/tmp": lacking(spread((10, 6), (99, 6), (10, 1)), (15, STEPS))}),
    }


PMIE = """over = scripted.load > 5 -> print "over %v";
hold = scripted.load > 5 -> print 3 sec "hold %v";
rises = rising (scripted.load > 5) -> print "rises";
falls = falling (scripted.load > 5) -> print "falls";
steps = scripted.load - scripted.load @1 > 2 -> print "steps %v";
slope = rate scripted.load > 2 -> print "slope";
steady = all_sample scripted.load @0..2 > 5 -> print "steady";
low = scripted.mem < 500 Kbyte -> print "low %v";
jobs = scripted.jobs > 30 -> print "jobs";
busy = scripted.busy > 0.5 -> print 2 sec "busy";
net = scripted.net > 100 Kbyte/sec -> print "net";
reads = some_inst scripted.disk_read > 40 count/sec -> print "reads" " %i";
queue = some_inst scripted.disk_queue > 5 -> print "queue" " %i=%v";
all = all_inst scripted.disk_queue > 2 -> print "all" " %i";
most = 60 %_inst scripted.disk_queue > 5 -> print "most" " %i";
total = sum_inst scripted.disk_queue > 12 -> print "total %v";
several = count_inst (scripted.disk_queue > 5) > 1 -> print "several %v";
match = some_inst match_inst "^sd[b-z]" scripted.disk_queue > 6 -> print "match" " %i";
full = some_inst scripted.full > 90 -> print "full" " %i=%v";
state = scripted.state == "failed" -> print 2 sec "state";
texts = some_inst scripted.disk_state != "ok" -> print "texts" " %i";
late = scripted.late > 2 -> print "late %v";
either = scripted.late > 2 || scripted.load > 5 -> print "either";
ended = scripted.ended > 2 -> print "ended";
memory = ruleset scripted.mem < 300 Kbyte -> print "memory very low"
    else scripted.mem < 600 Kbyte -> print "memory low" otherwise -> print "memory enough";
service = ruleset scripted.late < 1 -> print "service down"
    unknown -> print "service unknown" otherwise -> print "service up";
"""
# What strict wants to be said, and what it has beside.
STRICT = "// pmjit: dialect=strict\n" + PMIE
for old, new in (("scripted.late > 2", "scripted.late > 2 count"),
                 ("scripted.late < 1", "scripted.late < 1 count"),
                 ("scripted.ended > 2", "scripted.ended > 2 count"),
                 ("scripted.disk_queue > ", "scripted.disk_queue > COUNTS"),
                 ("scripted.jobs > 30", "rate scripted.jobs > 30 count/sec"),
                 ("scripted.busy", "rate scripted.busy"), ("scripted.net", "rate scripted.net"),
                 ("scripted.disk_read", "rate scripted.disk_read"),
                 ("rate scripted.load > 2", "rate scripted.load > 2 /sec")):
    STRICT = STRICT.replace(old, new)
STRICT = re.sub(r"COUNTS(\d+)", r"\1 count", STRICT)
STRICT += 'partly = sum_inst known rate scripted.disk_read > 50 count/sec -> print "partly";\n'


def names(rules):
    """Of the rules that are compared."""
    return [name for name in re.findall(r"(?m)^(\w+) = ", rules) if name != "ended"]


def is_ended(run, live):
    """The rule whose metric ends is unknown from then on, over an archive a step earlier."""
    first = LAST + live
    return [run.truths[step]["ended"] for step in range(first - 1, first + 2)] == [
        "false", "unknown", "unknown"]


class Run:
    """What a run printed: `truths[step][rule]`, `actions[step]`, and where it says them the
    instances for which a rule became true: `held[step][rule]`."""

    def __init__(self, who):
        self.who, self.steps = who, []
        self.truths, self.actions, self.held = {}, {}, {}

    def add(self, step, truths, actions, held=None):
        self.steps.append(step)
        self.truths[step] = truths
        self.actions[step] = sorted(text for text in actions if not text.startswith("tick "))
        self.held[step] = held

    @property
    def consecutive(self):
        return bool(self.steps) and self.steps == list(range(self.steps[0], self.steps[-1] + 1))


ACTION = re.compile(r"(?:print )?\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}: (.*)")


def step_of(actions):
    found = [int(text.split()[1]) for text in actions if text.startswith("tick ")]
    return found[0] if len(found) == 1 else None


def of_pmie(who, text):
    """From `pmie -v`: a block of lines by evaluation; actions are printed among them."""
    run = Run(who)
    for block in text.split("\n\n"):
        truths, actions = {}, []
        for line in block.splitlines():
            if found := ACTION.match(line):
                actions.append(found[1])
            elif found := re.match(r"(\w+)(?: \(.*\))?: (true|false|unknown)$", line):
                truths[found[1]] = found[2]
        if (step := step_of(actions)) is not None:
            run.add(step, truths, actions)
    return run


def of_events(who, text):
    """From `pmjit run -o json`: truths stand until the next transition."""
    run, truths = Run(who), {}
    by_time = {}
    for line in text.splitlines():
        event = json.loads(line)
        by_time.setdefault(event["time"], []).append(event)
    for events in by_time.values():
        actions = [event["text"] for event in events if event["event"] == "action"]
        held = {}
        for event in events:
            if event["event"] == "transition":
                truths[event["rule"]] = event["to"]
                held[event["rule"]] = [b["instance"] for b in event["bindings"]]
        if (step := step_of(actions)) is not None:
            run.add(step, dict(truths), actions, held)
    return run


def differences(run, reference, rules):
    """What `run` has otherwise than `reference`: (step, rule, what, what the reference has), and
    how many transitions were compared."""
    def held(run, step):
        return {rule: of for rule, of in (run.held[step] or {}).items() if rule in rules}

    out, transitions = [], 0
    steps = range(max(run.steps[0], reference.steps[0]),
                  min(run.steps[-1], reference.steps[-1]) + 1)
    for step in steps:
        for rule in rules:
            mine, theirs = (r.truths[step].get(rule) for r in (run, reference))
            before = reference.truths.get(step - 1, {}).get(rule)
            transitions += theirs != before
            if mine != theirs:
                out.append((step, rule, mine, theirs))
        mine, theirs = run.actions[step], reference.actions[step]
        if mine != theirs:
            out += [(step, text.split()[0], text, None) for text in mine if text not in theirs]
            out += [(step, text.split()[0], None, text) for text in theirs if text not in mine]
        if step != steps[0] and None not in (run.held[step], reference.held[step]):
            mine, theirs = held(run, step), held(reference, step)
            out += [(step, rule, mine.get(rule), theirs.get(rule))
                    for rule in rules if mine.get(rule) != theirs.get(rule)]
    return out, transitions
