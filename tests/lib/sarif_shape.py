"""What the schema of SARIF 2.1.0 demands of the objects that `pmjit check -o sarif` writes.

    faults(json.loads(text))  →  ["runs[0].results[2].level: 'hint' is none of …", …]

An object has the properties of its shape and no others: those of the schema that pmjit uses, in our
words. A star says that the schema requires one.
"""

import re

# RFC 3986: what a reference may be made of. A colon in the first segment would make it a scheme.
URI_REFERENCE = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/?#\[\]:-]|%[0-9A-Fa-f]{2})*")
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def text(value):
    return isinstance(value, str)


def uri(value):
    return text(value) and URI.fullmatch(value) is not None


def reference(value):
    return (text(value) and URI_REFERENCE.fullmatch(value) is not None
            and ":" not in value.split("/")[0])


def place(value):  # a line or a column
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


# A value is a predicate, a set of texts, the name of a shape, or a list of that; `unique`: items
# of the list differ.
SHAPES = {
    "log": {"$schema": uri, "version*": {"2.1.0"}, "runs*": ["run"]},
    "run": {"tool*": "tool", "results": ["result"],
            "columnKind": {"utf16CodeUnits", "unicodeCodePoints"}},
    "tool": {"driver*": "component"},
    "component": {"name*": text, "version": text, "rules": ["descriptor", "unique"]},
    "descriptor": {"id*": text, "help": "words"},
    "words": {"text*": text},
    "result": {"ruleId": text, "level": {"none", "note", "warning", "error"},
               "message*": "message", "locations": ["location"]},
    "message": {"text*": text},  # the schema takes an id in its place
    "location": {"physicalLocation": "physical"},
    "physical": {"artifactLocation*": "artifact", "region": "region"},  # or an address
    "artifact": {"uri": reference},
    "region": {"startLine": place, "startColumn": place},
}


def faults_of(value, shape, path):
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{path}: no list"]
        found = [fault for i, item in enumerate(value)
                 for fault in faults_of(item, shape[0], f"{path}[{i}]")]
        is_twice = any(item in value[:i] for i, item in enumerate(value))
        return found + ([f"{path}: an item stands twice"] if "unique" in shape and is_twice else [])
    if isinstance(shape, set):
        return [] if text(value) and value in shape else [f"{path}: {value!r} is none of {shape}"]
    if callable(shape):
        return [] if shape(value) else [f"{path}: {value!r} is no {shape.__name__}"]
    if not isinstance(value, dict):
        return [f"{path}: no object"]
    known = {name.rstrip("*"): of for name, of in SHAPES[shape].items()}
    found = [f"{path}: no {name[:-1]}" for name in SHAPES[shape]
             if name.endswith("*") and name[:-1] not in value]
    found += [f"{path}: unknown property {name}" for name in value if name not in known]
    for name, of in known.items():
        if name in value:
            found += faults_of(value[name], of, f"{path}.{name}")
    return found


def faults(log):
    """In words; none: the log is as the schema wants it, and its results name rules that it has."""
    found = faults_of(log, "log", "log")
    if found:
        return found
    for run in log["runs"]:
        ids = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
        for result in run.get("results", []):
            if "ruleId" in result and result["ruleId"] not in ids:
                found.append(f"no rule {result['ruleId']}")
    return found
