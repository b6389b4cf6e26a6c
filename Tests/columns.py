#!/usr/bin/env python3
"""Fails if a line has more than 120 columns, a tab, blanks at its end, or no end. usage: columns.py FILE..."""
import sys

wrong = []
for name in sys.argv[1:]:
    for number, line in enumerate(open(name, encoding="utf-8", newline=""), 1):
        text = line.removesuffix("\n")
        if len(text) > 120 or "\t" in text or text != text.rstrip() or text == line:
            wrong.append(f"{name}:{number}: more than 120 columns, a tab, blanks at the end, or no end: {text[:40]}")
sys.exit("\n".join(wrong) or 0)
