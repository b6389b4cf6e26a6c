#!/usr/bin/env python3
"""Lists the keys that the local storage holds, from its files: it answers no ListObjects.

usage: local_keys.py DIR PREFIX     prints a JSON array

Of every file under DIR/objects the footer is read: at the end the length of the records (4 bytes), the version (4) and
the magic number (8), before them a SHA-256 and before that the records: tag (1), length (4), value. Tag 2 is the key.
"""
import json
import pathlib
import sys


def key(content):
    if content[-8:] != b"PSLOCAL\n":
        sys.exit("a file without a footer")
    records = content[-48 - int.from_bytes(content[-16:-12], "big"):-48]
    while records:
        length = int.from_bytes(records[1:5], "big")
        if records[0] == 2:
            return records[5:5 + length]
        records = records[5 + length:]
    sys.exit("a footer without a key")


found = []
for path in pathlib.Path(sys.argv[1], "objects").rglob("*"):
    try:
        if path.is_file():
            found.append(key(path.read_bytes()))
    except FileNotFoundError:
        pass  # Deleted meanwhile, by another test.
found.sort()
print(json.dumps([name.decode() for name in found if name.startswith(sys.argv[2].encode())]))
