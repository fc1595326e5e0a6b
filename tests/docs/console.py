"""The console blocks of a page: commands, what they printed, and comparing and rewriting that.

A block begins with ```console and a mode: none (outputs are compared), `live` (numbers may differ)
or `parse` (the command is not run). A command begins with `$ `, and lines that begin with `> `
continue it. A line `…` of the output stands for any number of lines.
"""

import dataclasses
import difflib
import re

GAP = "…"
NUMBER = re.compile(r"-?\d[\d.,:+TZ-]*(?:e[+-]?\d+)?|\?")
DRAWN = re.compile(r"[·▁▂▃▄▅▆▇█]+")


@dataclasses.dataclass
class Command:
    """What a page shows of one command: lines [first, last) of the page are its output."""
    text: str
    mode: str
    line: int
    first: int
    last: int
    shown: list


def commands_of(lines):
    found, mode = [], None
    for number, line in enumerate(lines):
        if mode is None:
            if fence := re.fullmatch(r"```console *(\w*)", line):
                mode = fence[1] or "same"
        elif line == "```":
            mode = None
        elif line.startswith("$ "):
            found.append(Command(line[2:], mode, number + 1, number + 1, number + 1, []))
        elif line.startswith("> ") and found and not found[-1].shown:
            found[-1].text += "\n" + line[2:]
            found[-1].first = found[-1].last = number + 1
        elif found:
            found[-1].shown.append(line)
            found[-1].last = number + 1
    return found


def untested(lines):
    """Lines with commands of ours that stand in a block of another kind."""
    kind = None
    for number, line in enumerate(lines):
        if line.startswith("```"):
            kind = line[3:] if kind is None else None
        elif kind is not None and not kind.startswith("console"):
            if re.match(r"(\$ )?pmjit ", line):
                yield number + 1


def shape(line):
    """A line of live output: numbers and the columns that they need differ from run to run."""
    return re.sub(r"\s+", " ", DRAWN.sub("▁", NUMBER.sub("0", line))).strip()


def segments_of(shown):
    """The lines between gaps."""
    parts = [[]]
    for line in shown:
        if line.strip() == GAP:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def says_nothing(shown):
    """A gap alone would stand for any output."""
    return GAP in shown and not any(line.strip(GAP + " ") for line in shown)


def matches(shown, printed, mode):
    if says_nothing(shown):
        return False
    like = shape if mode == "live" else str.rstrip
    parts = [[like(line) for line in part] for part in segments_of(shown)]
    lines = [like(line) for line in printed]
    if len(parts) == 1:
        return parts[0] == lines
    head, tail = parts[0], parts[-1]
    if len(head) + len(tail) > len(lines) or lines[:len(head)] != head:
        return False
    if tail and lines[-len(tail):] != tail:
        return False
    place, end = len(head), len(lines) - len(tail)
    for part in parts[1:-1]:
        places = range(place, end - len(part) + 1)
        place = next((p for p in places if lines[p:p + len(part)] == part), None)
        if place is None:
            return False
        place += len(part)
    return True


def rewritten(shown, printed):
    """What the page should show: of an output with gaps the lines most like those shown."""
    parts, lines = segments_of(shown), [line.rstrip() for line in printed]
    if len(parts) == 1 or says_nothing(shown):
        return lines
    kept, place = lines[:len(parts[0])], len(parts[0])
    for index, part in enumerate(parts[1:], 1):
        places = range(place, len(lines) - len(part) + 1)
        if index == len(parts) - 1 and part:
            start = max(place, len(lines) - len(part))
        else:
            start = max(places, key=lambda p: likeness(part, lines[p:p + len(part)]), default=place)
        kept += [GAP] if start > place or not part else []
        kept += lines[start:start + len(part)]
        place = start + len(part)
    return kept


def likeness(part, lines):
    return sum(difflib.SequenceMatcher(None, a, b).ratio() for a, b in zip(part, lines))
