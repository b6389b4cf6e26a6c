"""Decides listings for all keys below a prefix with the solver z3, and searches keys with which a rule would cross a slash.

Reads one JSON object per line: {rules: [{path, grants: [{grantee, actions}]}], denials: [{path, actions}], exclusive,
who: {identity, groups, claims, key} or null, prefix}; paths and the prefix are arrays of segments, all of one store.
Prints one JSON object per line: `forbidden`, a key below the prefix that the caller may not list, or null if there is
none, and `crossing`, a list of [path of a rule, key that it must not decide].
"""

import functools
import json
import sys

from z3 import (And, Complement, Concat, If, InRe, Intersect, Length, Not, Or, Plus, Range, Re, Solver, Star,
                String, StringVal, Union, sat, unsat)

BYTE = Union(Range(" ", "."), Range("0", "~"))  # ASCII without slash and control characters
SEGMENT = Intersect(Plus(BYTE), Complement(Union(Re("."), Re(".."))))
PATH = Concat(SEGMENT, Star(Concat(Re("/"), SEGMENT)))


def solve(*conditions):
    """Returns a model, or None if the conditions contradict each other. An undecided question is an error."""
    solver = Solver()
    solver.set("timeout", 60_000)
    solver.add(*conditions)
    result = solver.check()
    if result == sat:
        return solver.model()
    if result != unsat:
        sys.exit(f"z3 does not decide {conditions}")
    return None


def any_of(items):
    return Or(*items) if items else False


def is_placeholder(text):
    return text.startswith("{")


def glob(pattern, segment):
    """A segment of a denial, in which `*` stands for any bytes."""
    parts = pattern.split("*")
    expressions = [Re(parts[0])]
    for part in parts[1:]:
        expressions += [Star(BYTE), Re(part)]
    return InRe(segment, Concat(*expressions) if len(expressions) > 1 else expressions[0])


def denies(pattern, key):
    if not pattern:
        return not key
    if pattern[0] == "**":
        if len(pattern) == 1:
            return len(key) > 0
        return any_of([denies(pattern[1:], key[skipped:]) for skipped in range(len(key) + 1)])
    return And(glob(pattern[0], key[0]), denies(pattern[1:], key[1:])) if key else False


def matches(path, key):
    fixed = path[:-1] if path[-1] == "**" else path
    if len(key) != len(fixed) if fixed is path else len(key) <= len(fixed):
        return False
    return And(True, *(segment == StringVal(text) for text, segment in zip(fixed, key)
                       if text != "*" and not is_placeholder(text)))


def owns(who, placeholder, segment):
    if placeholder == "{identity}":
        values = [who["identity"]] if who.get("identity") is not None else []
    elif placeholder == "{group}":
        values = who["groups"]
    else:
        values = [value for name, value in who["claims"].items() if name == placeholder[7:-1]]
    return any_of([segment == StringVal(value) for value in values])


def reaches(policy, rule, grantee, key):
    """Whether a grantee includes the caller of the key, which the rule matches."""
    who = policy["who"]
    if grantee == "everyone":
        return True
    if who is None:
        return grantee == "guest"
    left_out = policy["exclusive"] and bool(who["groups"])
    captures = [(text, segment) for text, segment in zip(rule["path"], key) if is_placeholder(text)]
    if grantee == "owner":
        if left_out and "{identity}" in rule["path"]:
            return False
        return And(True, *(owns(who, text, segment) for text, segment in captures))
    if is_placeholder(grantee):
        return And(True, *(owns(who, text, segment) for text, segment in captures if text == grantee))
    if grantee.startswith("group:"):
        return grantee[6:] in who["groups"]
    if grantee.startswith("caller:"):
        return grantee[7:] == who.get("key")
    return grantee == "authenticated" and not left_out


def rank(path):
    """The most specific rule has the lowest rank: a literal comes before a placeholder, `*` and `**`."""
    return [3 if text == "**" else 2 if text == "*" else 1 if is_placeholder(text) else 0 for text in path]


def lists(policy, key):
    """Whether the caller may list the key: the most specific rule that matches decides, unless a denial matches."""
    decision = False
    for rule in sorted(policy["rules"], key=lambda rule: rank(rule["path"]), reverse=True):
        granted = any_of([reaches(policy, rule, grant["grantee"], key) for grant in rule["grants"]
                          if {"list", "read"} & set(grant["actions"])])
        decision = If(matches(rule["path"], key), granted, decision)
    denied = any_of([denies(denial["path"], key) for denial in policy["denials"]
                     if denial["actions"] is None or {"list", "read"} & set(denial["actions"])])
    return And(decision, Not(denied))


def forbidden(policy):
    """Returns a key below the prefix that the caller may not list, or None. Keys with one segment more than the longest
    pattern stand for all longer ones, because only `**` matches what follows. The first `**` of a denial can match the
    whole prefix, so all of the denial's segments can follow it."""
    prefix = [StringVal(text) for text in policy["prefix"]]
    rule, denial = (max([len(one["path"]) for one in policy[kind]], default=0) for kind in ("rules", "denials"))
    for count in range(1, max(1, rule + 1 - len(prefix), denial) + 1):
        free = [String(f"segment{index}") for index in range(count)]
        model = solve(*(InRe(segment, SEGMENT) for segment in free), Not(lists(policy, prefix + free)))
        if model is not None:
            return policy["prefix"] + [model.eval(segment, model_completion=True).as_string() for segment in free]
    return None


@functools.cache
def crossing(path):
    """Returns a key that the rule would match only if a wildcard or placeholder crossed a slash, or None."""
    if not any(text == "*" or is_placeholder(text) for text in path):
        return None
    def language(segment):
        return Concat(*([Re("")] * 2 + [
            one for index, text in enumerate(path)
            for one in ([Re("/")] if index else []) + [
                PATH if text == "**" else segment if text == "*" or is_placeholder(text) else Re(text)]]))
    key = String("key")
    model = solve(InRe(key, PATH), InRe(key, language(PATH)), Not(InRe(key, language(SEGMENT))), Length(key) < 100)
    return None if model is None else model.eval(key).as_string()


if __name__ == "__main__":
    for line in sys.stdin:
        policy = json.loads(line)
        found = [["/".join(rule["path"]), crossing(tuple(rule["path"]))] for rule in policy["rules"]]
        print(json.dumps({"forbidden": forbidden(policy), "crossing": [pair for pair in found if pair[1] is not None]}))
