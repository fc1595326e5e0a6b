"""Makes a case that differs small: statements, then tokens, then options go while it differs.

    small = reduced(case, differs)      # differs(case): whether it still does
"""

import re

from defects import TOKEN

RUNS_MAX = 400
PLAIN = ("-a", "-c", "-C", "-d")


class Reducer:
    def __init__(self, differs):
        self.differs, self.runs = differs, 0

    def still(self, case):
        self.runs += 1
        return self.runs <= RUNS_MAX and self.differs(case)

    def parts(self, case, name, pieces, glue=""):
        """Halves, quarters … single pieces of a file go."""
        size = max(1, len(pieces) // 2)
        while size:
            at = 0
            while at < len(pieces):
                left = pieces[:at] + pieces[at + size:]
                tried = case.but(files=case.files | {name: glue.join(left)})
                if self.still(tried):
                    case, pieces = tried, left
                else:
                    at += size
            size //= 2
        return case

    def options(self, case):
        at = 0
        while at < len(case.arguments):
            word = case.arguments[at]
            width = 2 if word in ("-t", "-S", "-T", "-O", "-A", "-Z") else 1
            tried = case.but(arguments=case.arguments[:at] + case.arguments[at + width:])
            if word.startswith("-") and word not in PLAIN and self.still(tried):
                case = tried
            else:
                at += width
        for name in list(case.variables):
            if name == "PCP_COUNTER_WRAP":
                tried = case.but(variables={k: v for k, v in case.variables.items() if k != name})
                case = tried if self.still(tried) else case
        return case


def reduced(case, differs):
    reducer = Reducer(differs)
    for name in list(case.files):
        case = reducer.parts(case, name, re.findall(r"[^;]*;?", case.files[name])[:-1])
    case = reducer.options(case)
    for name in list(case.files):
        case = reducer.parts(case, name, TOKEN.findall(case.files[name]))
    return case
