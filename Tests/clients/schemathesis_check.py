"""Lets Schemathesis test a service against its OpenAPI description with every check, and compares the failures with a
list of exclusions.

usage: schemathesis_check.py ST DESCRIPTION EXCLUSIONS FOLDER URL KEY

ST is the command of Schemathesis, FOLDER receives its files, KEY is an API key. An exclusion has the code of a failure,
a regular expression for whole operations, such as "GET /permissions", and the reason. Prints each failure that is not
excluded, and each exclusion that excludes no failure; the status is then 1.
"""
import json
import os
import re
import subprocess
import sys

SETTINGS = """
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "410", "413", "414", "415", "422", "431"]

[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "410", "422", "5xx"]
"""

# The same requests in each run, as long as the description does not change.
SEED = "1"
EXAMPLES = "10"


def run(st, description, folder, url, key):
    """Returns the report of Schemathesis, and what it has printed."""
    settings, report = os.path.join(folder, "schemathesis.toml"), os.path.join(folder, "report.json")
    with open(settings, "w") as file:
        file.write(SETTINGS)
    done = subprocess.run(
        [st, "--config-file", settings, "--no-color", "run", description, "--url", url, "-H", f"X-API-Key: {key}",
         "--checks", "all", "--max-examples", EXAMPLES, "--seed", SEED, "--no-shrink", "--continue-on-failure",
         "--report", "json", "--report-json-path", report],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not os.path.exists(report):
        sys.exit(f"Schemathesis wrote no report:\n{done.stdout}")
    with open(report) as file:
        return json.load(file), done.stdout


def main(st, description, exclusions, folder, url, key):
    report, output = run(st, os.path.abspath(description), os.path.abspath(folder), url, key)
    with open(exclusions) as file:
        unused = json.load(file)
    excluded = list(unused)
    problems = []
    operations = report["operations"]
    if not report["complete"] or operations["errored"] or operations["tested"] != operations["total"]:
        problems.append(f"not every operation was tested: {operations}")
    for failure in report["failures"]:
        for operation in failure["operations"]:
            matching = [one for one in excluded
                        if one["code"] == failure["code"] and re.fullmatch(one["operations"], operation)]
            unused = [one for one in unused if one not in matching]
            if not matching:
                problems.append(f"{failure['code']} {failure['title']}: {operation}")
    problems += [f"no failure is excluded by {one['code']} {one['operations']}; remove it" for one in unused]
    if problems:
        print(output)
        sys.exit("\n".join(problems))


main(*sys.argv[1:])
