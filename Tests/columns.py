#!/usr/bin/env python3
"""Fails if a line has more than 120 columns, a tab or blanks at its end, or if a file's last line does not end.

usage: columns.py FILE...
"""
import sys

wrong = []
for name in sys.argv[1:]:
    with open(name, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    wrong += [f"{name}:{number}: {len(line)} columns" for number, line in enumerate(lines, 1) if len(line) > 120]
    wrong += [f"{name}:{number}: a tab or a blank at the end" for number, line in enumerate(lines, 1)
              if line != line.rstrip() or "\t" in line]
    wrong += [f"{name}: the last line does not end"] if lines[-1] or len(lines) < 2 else []
sys.exit("\n".join(wrong) or 0)
