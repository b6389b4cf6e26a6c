"""Prints presign's configuration from a Compose file. usage: compose_config.py FILE HASH"""
import re
import sys

import yaml

with open(sys.argv[1]) as file:
    content = yaml.safe_load(file)["configs"]["presign"]["content"]
print(re.sub(r"\$\{PRESIGN_KEY_HASH:\?[^}]*\}", lambda _: sys.argv[2], content))
