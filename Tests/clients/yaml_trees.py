"""Parses YAML documents with libyaml.

Reads JSON Lines, each a document as a string; writes for each line the tree as JSON, or null for an invalid document.
A scalar is {"text", "isPlain"}, a sequence {"entries"}, a mapping {"members"} with keys and values in turn.
"""
import json
import sys

import yaml


def tree(node):
    if isinstance(node, yaml.ScalarNode):
        return {"text": node.value, "isPlain": not node.style}
    if isinstance(node, yaml.SequenceNode):
        return {"entries": [tree(entry) for entry in node.value]}
    return {"members": [tree(part) for member in node.value for part in member]}


for line in sys.stdin:
    try:
        node = yaml.compose(json.loads(line), Loader=yaml.CBaseLoader)
        print(json.dumps(tree(node) if node else {"text": "", "isPlain": True}))
    except yaml.YAMLError:
        print("null")
