#!/usr/bin/env python3
"""Lists the object keys in the embedded storage's files, because it does not support ListObjects.

usage: local_keys.py DIR PREFIX     prints a JSON array

Each file under DIR/objects ends with a footer: the records (tag: 1 byte, length: 4, value; tag 2 is the key), a
SHA-256, the length of the records (4), the version (4) and the magic number (8).
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
        pass  # Deleted by another test.
found.sort()
print(json.dumps([name.decode() for name in found if name.startswith(sys.argv[2].encode())]))
