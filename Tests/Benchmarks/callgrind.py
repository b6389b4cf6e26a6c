"""Reads the output of Valgrind's callgrind (Valgrind manual, "Callgrind Format Specification")."""

import collections
import re

LINE = re.compile(r"(fl|fi|fe|fn|ob|cfi|cfl|cfn|cob|calls)=(?:(\(\d+\)) ?)?(.*)")


def parse(path):
    """Returns the exclusive instruction count of each (object, function), summed over all threads."""
    names = {"ob": {}, "fn": {}}
    costs = collections.Counter()
    library = function = ""
    skipping = False
    with open(path) as file:
        for line in file:
            found = LINE.match(line)
            if found:
                key, number, name = found.groups()
                if key == "calls":
                    skipping = True  # the next line has the callee's cost
                    continue
                table = names.get({"cob": "ob", "cfn": "fn"}.get(key, key))
                if table is None:
                    continue
                if name:
                    table[number] = name
                if key == "ob":
                    library = table[number]
                elif key == "fn":
                    function = table[number]
            elif line[0] in "+-*0123456789":
                if not skipping:
                    costs[library, function] += int(line.split()[1])
                skipping = False
    return costs
