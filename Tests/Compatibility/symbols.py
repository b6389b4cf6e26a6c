#!/usr/bin/env python3
"""Compares the public symbols of a library with the kept ones.

usage: symbols.py MODULE FOLDER     FOLDER has the output of swift-symbolgraph-extract; with PRESIGN_KEEP set, keeps them

A symbol is a line: its path and its declaration. New symbols are allowed.
"""
import json
import os
import pathlib
import sys

module, folder = sys.argv[1:]
kept = pathlib.Path(__file__).with_name(f"symbols-{module}.txt")
lines = set()
for file in pathlib.Path(folder).glob("*.symbols.json"):
    for symbol in json.loads(file.read_text())["symbols"]:
        declaration = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
        lines.add(f"{'.'.join(symbol['pathComponents'])}: {' '.join(declaration.split())}")
if "PRESIGN_KEEP" in os.environ:
    kept.write_text("\n".join(sorted(lines)) + "\n")
gone = sorted(set(kept.read_text().splitlines()) - lines)
if gone or not lines:
    sys.exit(f"public symbols of {module} are gone or changed:\n  " + "\n  ".join(gone))
print(f"{module} has all {len(kept.read_text().splitlines())} kept symbols")
