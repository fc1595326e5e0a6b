#!/usr/bin/python3
"""An agent of PCP's pmcd whose values are a function of a script and the time.

    scripted 245 pipe binary /usr/bin/python3 tests/oracle/scripted_agent.py SCRIPT

SCRIPT is the JSON that write_script() makes. Step k is in force from half a step before
`epoch + k * step` to half a step behind it, so whoever samples at whole steps has room on both
sides. Behind the last step the last values stay. None: no value, and an instance that has no value
of any metric is not in the domain. Each fetch is written to the log: its time, its step and
its client. Debian's Python runs it, for its package python3-pcp has the module `pcp`.
"""

import json
import sys
import time

DOMAIN = 245
UNITS = {"none": (0, 0, 0, 0, 0, 0), "count": (0, 0, 1, 0, 0, 0), "byte": (1, 0, 0, 0, 0, 0),
         "Kbyte": (1, 0, 0, 1, 0, 0), "sec": (0, 1, 0, 0, 3, 0), "millisec": (0, 1, 0, 0, 2, 0)}


def write_script(path, epoch, metrics, step=1.0):
    """`metrics`: name -> (type, semantics, units, values by instance; a singular one has that of
    ""), with the words of PM_TYPE_… and PM_SEM_….
    The line of pmcd.conf, and the part of the name space, are the result."""
    path.write_text(json.dumps({"epoch": epoch, "step": step, "log": str(path) + ".fetches",
                                "metrics": metrics}))
    names = "\n".join(f"    {name}\t{DOMAIN}:0:{item}" for item, name in enumerate(metrics))
    return (f"scripted {DOMAIN} pipe binary /usr/bin/python3 {__file__} {path}\n",
            "scripted {\n%s\n}\n" % names)


def fetches(path):
    """Of a script that was served: time, step and pmcd's number of the client, by fetch."""
    lines = open(str(path) + ".fetches", encoding="ascii").read().splitlines()
    return [(float(when), int(step), int(client))
            for when, step, client in map(str.split, lines)]


class Script:
    def __init__(self, path):
        script = json.load(open(path, encoding="utf-8"))
        self.epoch, self.step = script["epoch"], script["step"]
        self.log = open(script["log"], "a", buffering=1, encoding="ascii")
        self.metrics = list(script["metrics"].items())
        self.domains = {}  # names of instances, by the number of the domain
        self.domain_of = []
        for _, (_, _, _, values) in self.metrics:
            names = tuple(values)
            if names == ("",):
                self.domain_of.append(None)
                continue
            number = next((n for n, known in self.domains.items() if known == names),
                          len(self.domains))
            self.domains[number] = names
            self.domain_of.append(number)
        self.now, self.unlogged = 0, None

    def move(self):
        """Each fetch has one step, whatever the clock does meanwhile."""
        self.unlogged = time.time()
        self.now = int((self.unlogged - self.epoch) / self.step + 0.5)

    def value(self, item, name, client=None):
        if client is not None and self.unlogged:  # the client is not known earlier
            print(f"{self.unlogged:.6f} {self.now} {client}", file=self.log)
            self.unlogged = None
        steps = self.metrics[item][1][3][name]
        return steps[max(0, min(self.now, len(steps) - 1))]

    def present(self, number):
        """The names of the domain's instances that have a value now."""
        items = [item for item, domain in enumerate(self.domain_of) if domain == number]
        return [name for name in self.domains[number]
                if any(self.value(item, name) is not None for item in items)]


def main():
    # pylint: disable=import-outside-toplevel
    import cpmapi
    import cpmda
    from pcp.pmda import LIBPCP_PMDA, PMDA, pmdaIndom, pmdaMetric, pmdaUnits
    script = Script(sys.argv[1])
    agent = PMDA("scripted", DOMAIN, sys.argv[1] + ".log")
    domains = {number: agent.indom(number) for number in script.domains}

    def show(number, names):
        """The library's cache of instances, which pmdaIndom would save in the system's folders."""
        LIBPCP_PMDA.pmdaCacheOp(domains[number], cpmda.PMDA_CACHE_INACTIVE)
        for name in names:
            LIBPCP_PMDA.pmdaCacheStore(domains[number], cpmda.PMDA_CACHE_ADD, name.encode(), None)

    def move():
        script.move()
        for number in domains:
            show(number, script.present(number))

    def fetch(_, item, instance):
        number = script.domain_of[item]
        name = "" if number is None else script.domains[number][instance]
        value = script.value(item, name, LIBPCP_PMDA.pmdaGetContext())
        return [value, 1] if value is not None else [cpmapi.PM_ERR_VALUE, 0]

    for number, domain in domains.items():
        agent.add_indom(pmdaIndom(domain, None))
        show(number, script.domains[number])  # so identifiers are in the order of the script
        show(number, script.present(number))
    for item, (name, (kind, semantics, units, _)) in enumerate(script.metrics):
        number = script.domain_of[item]
        agent.add_metric("scripted." + name, pmdaMetric(
            agent.pmid(0, item), getattr(cpmapi, "PM_TYPE_" + kind),
            cpmapi.PM_INDOM_NULL if number is None else domains[number],
            getattr(cpmapi, "PM_SEM_" + semantics.upper()), pmdaUnits(*UNITS[units])))
    agent.set_fetch(move)
    agent.set_fetch_callback(fetch)
    agent.run()


if __name__ == "__main__":
    main()
