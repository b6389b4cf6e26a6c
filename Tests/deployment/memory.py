"""Prints the memory limit and the `server` limits of a deployment in config/. usage: memory.py CONFIG NAME

Prints a line of JSON: {"memory": BYTES, "connections": COUNT, "server": "loops: 2, ..."}. Deployments without a
configuration use the annotated presign.yaml.
"""
import json
import re
import sys

import yaml

folder, name = sys.argv[1:]


def text(path):
    with open(f"{folder}/{path}") as file:
        return file.read()


def size(text):
    number, unit = re.fullmatch(r"(\d+)([KMG]?)i?b?", str(text), re.I).groups()
    return int(number) << {"": 0, "K": 10, "M": 20, "G": 30}[unit.upper()]


configuration = text("presign.yaml")
if name == "kubernetes":
    container = yaml.safe_load(text("kubernetes/deployment.yaml"))["spec"]["template"]["spec"]["containers"][0]
    memory = size(container["resources"]["limits"]["memory"])
    configuration = text("kubernetes/presign.yaml")
elif name == "compose":
    compose = yaml.safe_load(text("compose.yaml"))
    memory = size(compose["services"]["presign"]["mem_limit"])
    configuration = compose["configs"]["presign"]["content"]
elif name == "ecs":
    memory = size(json.loads(text("ecs-task-definition.json"))["memory"] + "M")
elif name == "systemd":
    memory = size(re.search(r"^MemoryMax=(\S+)$", text("presign.service"), re.M)[1])
server = yaml.safe_load(configuration)["server"]
bounds = {key: server[key] for key in ("loops", "limits")}
flow = yaml.safe_dump(bounds, default_flow_style=True, width=10_000).strip()[1:-1]
print(json.dumps({"memory": memory, "connections": server["limits"]["connections"], "server": flow}))
