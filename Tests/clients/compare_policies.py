"""Compares pairs of policies with the solver z3, for all keys, callers and actions at once.

Reads one JSON object per line: {old, new}, each {rules: [{path, grants: [{grantee, actions}]}], denials: [{path,
actions}], exclusive}; paths are arrays of segments, all of one store. Prints one JSON object per line: {wider, narrower},
whether some request is allowed by the new policy alone, and by the old one alone.
"""

import json
import sys

from prove_policies import SEGMENT, any_of, denies, is_placeholder, matches, rank, solve
from z3 import And, Bool, BoolSort, Function, If, Implies, InRe, Not, Or, String, StringSort, StringVal

ACTIONS = ["get", "list", "write", "delete", "multipart"]
GUEST, KEY, HAS_IDENTITY, HAS_CLAIM, HAS_GROUPS = map(Bool, ["guest", "key", "hasIdentity", "hasClaim", "hasGroups"])
IDENTITY, CLAIM = String("identity"), String("claim")
MEMBER = Function("member", StringSort(), BoolSort())


def owns(placeholder, segment):
    if placeholder == "{identity}":
        return And(HAS_IDENTITY, segment == IDENTITY)
    if placeholder == "{group}":
        return MEMBER(segment)
    return And(HAS_CLAIM, segment == CLAIM)


def reaches(policy, rule, grantee, key):
    left_out = HAS_GROUPS if policy["exclusive"] else False
    captures = [(text, segment) for text, segment in zip(rule["path"], key) if is_placeholder(text)]
    if grantee == "everyone":
        return True
    if grantee == "guest":
        return GUEST
    if grantee == "authenticated":
        reached = Not(left_out)
    elif grantee == "owner":
        reached = And(Not(left_out) if "{identity}" in rule["path"] else True, *(owns(*one) for one in captures))
    elif is_placeholder(grantee):
        reached = And(True, *(owns(*one) for one in captures if one[0] == grantee))
    elif grantee.startswith("group:"):
        reached = MEMBER(StringVal(grantee[6:]))
    else:
        reached = KEY
    return And(Not(GUEST), reached)


def names(actions, action):
    return action in actions or ("read" in actions and action in ("get", "list"))


def allows(policy, action, key):
    decision = False
    for rule in sorted(policy["rules"], key=lambda rule: rank(rule["path"]), reverse=True):
        granted = any_of([reaches(policy, rule, grant["grantee"], key) for grant in rule["grants"]
                          if names(grant["actions"], action)])
        decision = If(matches(rule["path"], key), granted, decision)
    denied = any_of([denies(denial["path"], key) for denial in policy["denials"]
                     if denial["actions"] is None or names(denial["actions"], action)])
    return And(decision, Not(denied))


def is_wider(old, new):
    """Whether the new policy alone allows a request. Keys of one segment more than the longest pattern stand for all
    longer ones."""
    longest = max(len(one["path"]) for policy in (old, new) for one in policy["rules"] + policy["denials"])
    for count in range(1, longest + 2):
        key = [String(f"segment{index}") for index in range(count)]
        member = [Implies(MEMBER(segment), HAS_GROUPS) for segment in key]
        member += [Implies(MEMBER(StringVal(name)), HAS_GROUPS) for name in ("red", "b")]
        model = solve(*(InRe(segment, SEGMENT) for segment in key), *member, Implies(KEY, Not(HAS_CLAIM)),
                      Or(*(And(allows(new, action, key), Not(allows(old, action, key))) for action in ACTIONS)))
        if model is not None:
            return True
    return False


for line in sys.stdin:
    pair = json.loads(line)
    print(json.dumps({"wider": is_wider(pair["old"], pair["new"]), "narrower": is_wider(pair["new"], pair["old"])}))
