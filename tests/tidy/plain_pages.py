"""What can be counted of plain English: words a sentence on all pages, and on the pages for users
phrases that say who does something without a subject. Blocks and tables have rules of their own."""

import re

from tree import table

SENTENCE_WORDS_MAX = 25
FIRST_SCREEN_LINES_MAX = 100
USERS_PAGES = re.compile(
    r"(README|examples/README|docs/[^/]+|rules/(catalogue|testing)/README)\.md")
MARKED_ITEM = re.compile(r"^(?:[-*]|\d+\.|#+) ")
LIST_OF_LINKS = ") · ["
SENTENCE_END = re.compile(r"(?<=[.?!:])[*)]*\s+(?=[A-Z0-9`*(\[\"])")


def users_pages(tree):
    return [name for name in tree.names if USERS_PAGES.fullmatch(name)]


def all_pages(tree):
    """Pages of codes have sentences of their own length (tests/cmd/explain_codes)."""
    return [name for name in tree.names if name.endswith(".md") and name != "CHANGELOG.md"
            and not name.startswith("docs/codes/")]


def paragraphs_of(lines):
    """(line, text) of each paragraph and list item of prose."""
    begun, text, in_block = None, "", False
    for number, line in enumerate([*lines, ""], 1):
        fence = line.startswith("```")
        ends = fence or in_block or not line.strip() or line.startswith("|")
        if text and (ends or MARKED_ITEM.match(line)):
            yield begun, text
            text = ""
        in_block ^= fence
        if not ends:
            begun = number if not text else begun
            text = f"{text} {line.strip()}"


def words_of(sentence):
    """A link counts as its text, a piece of code as one word."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", sentence)
    return [w for w in re.sub(r"`[^`]*`", "code", text).split() if re.search(r"\w", w)]


def check_sentences(tree, _here):
    for name in all_pages(tree):
        for number, text in paragraphs_of(tree.lines(name)):
            if LIST_OF_LINKS in text:
                continue
            for sentence in SENTENCE_END.split(text):
                count = len(words_of(sentence))
                if count > SENTENCE_WORDS_MAX:
                    start = " ".join(sentence.split()[:6])
                    yield f"{name}:{number}: {count} words a sentence: {start} …"


def check_phrases(tree, here):
    rows = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in table(here / "phrases.txt")]
    for name in users_pages(tree):
        in_block = False
        for number, line in enumerate(tree.lines(name), 1):
            in_block ^= line.startswith("```")
            for phrase, instead in rows:
                if (found := re.search(phrase, line, re.I)) and not in_block:
                    yield f"{name}:{number}: \"{found[0]}\": {instead}"


def check_first_screen(tree, _here):
    count = len(tree.lines("README.md")) if "README.md" in tree.names else 0
    if count > FIRST_SCREEN_LINES_MAX:
        yield f"README.md: {count} lines, more than {FIRST_SCREEN_LINES_MAX}: see docs"
