#!/usr/bin/env python3
"""Writes the tables of Configuration.md from the keys, values and comments of config/presign.yaml.

    Tests/documentation/configuration.py            writes the page
    Tests/documentation/configuration.py --check    fails if the page differs from what it would write

A table follows each line `<!-- table: SECTION... -->` of the page. A key's comment is its meaning; `absent: VALUE` in
it is the default of a key whose value is an example.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "config/presign.yaml"
PAGE = ROOT / "Sources/presign/presign.docc/Configuration.md"

NAME = r'[a-z][A-Za-z0-9]*|"[^"]*"|[a-z]+:[a-z]+'
KEY = re.compile(rf"(?P<indent> *)(?P<item>- )?(?P<name>{NAME}):(?: (?P<value>.*?))?$")
# A key that is commented out, a second `#` or the first item of a list.
COMMENTED = re.compile(rf"( *)# ( *)((?:- )?(?:{NAME}):(?: .*|$)|# .*|- .*)")
# A line that continues the comment of the line above.
CONTINUATION = re.compile(r"( *#)* {12,}# | *# {20,}# ")
# Active keys whose values are examples. Those of keys that are commented out always are.
EXAMPLES = ("auth.apiKeys", "rules")
NAMES = {"stores": "NAME", "rules[].allow": "GRANTEE", "auth.jwt[].claims": "NAME"}
KNOWN_CLAIMS = ("identity", "groups")


def split(line):
    """A line's content and comment."""
    content, _, comment = re.sub(r"(^|\s)# ", "\0", line, count=1).partition("\0")
    return content.rstrip(), comment.strip()


def entries(text):
    """The keys in order, each as [path, value, comment, whether it is commented out]."""
    found, parents = [], []
    for line in text.splitlines():
        if CONTINUATION.match(line):
            found[-1][2] += " " + line.rpartition("# ")[2]
            continue
        whole, commented = line, False
        while match := COMMENTED.match(whole):
            commented, whole = True, match[1] + match[2] + match[3]
        content, comment = split(whole)
        match = KEY.match(content)
        if not match:
            continue
        indent = len(match["indent"]) + (2 if match["item"] else 0)
        while parents and parents[-1][0] >= indent:
            parents.pop()
        parent = parents[-1][1] if parents else ""
        if match["item"] and not parent.endswith("[]"):
            parent += "[]"
            parents[-1] = (parents[-1][0], parent)
        name = match["name"]
        if parent in NAMES and not (parent.endswith("claims") and name in KNOWN_CLAIMS):
            name = NAMES[parent]
        path = f"{parent}.{name}" if parent else name
        parents.append((indent, path))
        found.append([path, match["value"] or "", comment, commented])
    return found


def row(path, value, comment, commented):
    """The row of a key."""
    default = None
    if match := re.search(r"[;:] absent: ([^;]*)|^absent: ([^;]*)", comment):
        default = match[1] or match[2]
        comment = (comment[: match.start()] + comment[match.end() :]).strip("; ")
    if comment.endswith("; required"):
        default, comment = "required", comment.removesuffix("; required")
    is_example = commented or path.startswith(EXAMPLES)
    if default is None:
        default = "–" if is_example else f"`{value}`"
    return f"| `{path}` | {default} | {comment} |"


def table(sections, keys):
    rows, seen = [], set()
    for path, value, comment, commented in keys:
        if re.split(r"[.[]", path)[0] not in sections or path in seen or not comment:
            continue
        # A section without a default of its own is described by its keys.
        if not (value or "absent: " in comment or comment.endswith("required") or path.endswith("GRANTEE")):
            continue
        seen.add(path)
        rows.append(row(path, value, comment, commented))
    return ["| key | default | meaning |", "|---|---|---|", *rows]


def page(text, keys):
    """The page with current tables."""
    lines, result = text.splitlines(), []
    while lines:
        result.append(lines.pop(0))
        if match := re.fullmatch(r"<!-- table: (.*) -->", result[-1]):
            while lines and lines[0].startswith("|"):
                lines.pop(0)
            result += table(match[1].split(), keys)
    return "\n".join(result) + "\n"


def main():
    written = PAGE.read_text()
    current = page(written, entries(SOURCE.read_text()))
    if sys.argv[1:] == ["--check"]:
        if written != current:
            sys.exit("Configuration.md differs from config/presign.yaml; run Tests/documentation/configuration.py")
    else:
        PAGE.write_text(current)


if __name__ == "__main__":
    main()
