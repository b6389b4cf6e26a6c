"""Evaluates the egress rules of a network policy. usage: network_policy.py FILE [--uncommented] <QUERIES

A query is a line `NAMESPACE|ADDRESS PORT PROTOCOL`, its result `yes` or `no`. `--uncommented` includes the commented
rules. Namespaces are matched by the name label that Kubernetes sets on each.
"""
import ipaddress
import re
import sys

import yaml

NAME = "kubernetes.io/metadata.name"


def selects(selector, namespace):
    labels = {NAME: namespace}
    matches = selector.get("matchLabels", {}).items() <= labels.items()
    return matches and all(
        expression["operator"] == "In" and labels.get(expression["key"]) in expression["values"]
        for expression in selector.get("matchExpressions", []))


def contains(block, target):
    try:
        address = ipaddress.ip_address(target)
    except ValueError:
        return False
    excluded = any(address in ipaddress.ip_network(network) for network in block.get("except", []))
    return address in ipaddress.ip_network(block["cidr"]) and not excluded


def reaches(rule, target, port, protocol):
    ports = any(one["port"] == port and one["protocol"] == protocol for one in rule["ports"])
    return ports and any(
        contains(peer["ipBlock"], target) if "ipBlock" in peer else selects(peer["namespaceSelector"], target)
        for peer in rule["to"])


with open(sys.argv[1]) as file:
    text = file.read()
if "--uncommented" in sys.argv:
    text = re.sub(r"(?m)^    # (- |  )", r"    \1", text)
rules = yaml.safe_load(text)["spec"]["egress"]
for line in sys.stdin:
    target, port, protocol = line.split()
    print("yes" if any(reaches(rule, target, int(port), protocol) for rule in rules) else "no")
