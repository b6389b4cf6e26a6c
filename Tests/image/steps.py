"""Runs one stage of a Dockerfile in a folder with the stage's base image: RUN in a chroot, COPY from the given files.

usage: steps.py DOCKERFILE STAGE ROOT [STAGE:PATH=FILE ...]
"""

import json
import os
import re
import shutil
import subprocess
import sys


def instructions(text, stage):
    """Yields the name and the arguments of each instruction of the stage; joins continued lines."""
    current = None
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        name, rest = line.split(None, 1)
        if name == "FROM":
            found = re.search(r" AS (\S+)$", rest)
            current = found and found[1]
        elif current == stage:
            yield name, rest.strip()


def main():
    dockerfile, stage, root, *given = sys.argv[1:]
    files = dict(pair.split("=", 1) for pair in given)
    shell = ["/bin/sh", "-c"]
    with open(dockerfile) as file:
        steps = list(instructions(file.read(), stage))
    if not steps:
        sys.exit(f"{dockerfile} has no stage {stage}")
    for name, rest in steps:
        if name == "SHELL":
            shell = json.loads(rest)
        elif name == "RUN":
            environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
            environment |= {key: value for key, value in os.environ.items() if key.lower().endswith("_proxy")}
            subprocess.run(
                ["chroot", root, *shell, rest], check=True, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL)
        elif name == "COPY":
            source, path, target = re.fullmatch(r"--from=(\S+) (\S+) (\S+)", rest).groups()
            target = os.path.join(root, target.lstrip("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(files[f"{source}:{path}"], target)
        else:
            sys.exit(f"{name}: steps.py does not support this instruction")


main()
