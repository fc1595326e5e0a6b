"""Holds the tree to the rules of the repository: python3 tests/tidy/tidy.py [--build DIR] [ROOT]

Every rule is a function of a tree that yields complaints; canary.py sees that each can fail.
"""

import argparse
import pathlib
import sys

import binaries
import layers
import places
import plain_pages
import shape
import type_names
import voice
from tree import NotDone, Tree

HERE = pathlib.Path(__file__).resolve().parent

CHECKS = {
    "layers": layers.check_layers,
    "folder circles": layers.check_circles,
    "forbidden words": layers.check_forbidden,
    "lines a file": shape.check_file_lines,
    "lines a function": shape.check_function_lines,
    "median": shape.check_median,
    "small headers": shape.check_headers,
    "columns": shape.check_columns,
    "type names": type_names.check_type_names,
    "plain english": voice.check_voice,
    "unfinished work": shape.check_unfinished,
    "machine paths": shape.check_machine_paths,
    "built": places.check_built,
    "a page a folder": places.check_readmes,
    "links": places.check_links,
    "file names": places.check_file_names,
    "file tables": places.check_file_tables,
    "sentences": plain_pages.check_sentences,
    "phrases": plain_pages.check_phrases,
    "first screen": plain_pages.check_first_screen,
    "format": binaries.check_format,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", help="look for writable statics in this build folder too")
    parser.add_argument("root", nargs="?", default=HERE.parent.parent)
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    found = {}
    for name, check in CHECKS.items():
        try:
            found[name] = list(check(tree, HERE))
        except NotDone as why:
            print(f"{name}: NOT DONE, {why}")
    if arguments.build:
        found["writable statics"] = list(binaries.check_statics(tree, HERE, arguments.build))
    for name, complaints in found.items():
        print(f"{name}: {len(complaints) or 'fine'}")
        for complaint in complaints:
            print(f"  {complaint}")
    print(shape.size_report(tree))
    sys.exit(any(found.values()))


main()
