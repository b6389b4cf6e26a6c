#!/usr/bin/env python3
"""Writes the manual page presign(1) from the command's own help.

    config/manual.py BINARY > presign.1

Install the page as /usr/local/share/man/man1/presign.1. Needs nothing but Python 3.
"""
import json
import subprocess
import sys

EXIT_CODES = [
    (0, "Success."),
    (1, "A negative result: a failed healthcheck, a refusal (explain), a difference (test\\-rules), rules that allow"
        " more (diff\\-rules), a rule that a store does not enforce (doctor)."),
    (2, "The new rules only refuse more (diff\\-rules \\-\\-exact)."),
    (3, "Nothing failed, but something was not checked (doctor, diff\\-rules)."),
    (64, "An invalid command line."),
    (65, "An invalid line of explain \\-\\-batch; the other lines are decided."),
    (71, "A failed system call, such as an address in use."),
    (78, "An invalid configuration, or missing storage credentials."),
]


def run(*arguments):
    # The help is as wide as the terminal; 80 columns without one.
    return subprocess.run([sys.argv[1], *arguments], check=True, capture_output=True, text=True).stdout


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def usage(path):
    """Returns the USAGE lines of a command's help, which the dump does not contain."""
    _, _, rest = run("help", *path).partition("USAGE: ")
    return [" ".join(block.split()) for block in rest.split("\n\n")[0].split("\n       presign")]


def discussion(text):
    """Returns paragraphs filled, indented lines as they are, and a line in capitals in bold."""
    lines, verbatim = [], False
    for line in text.split("\n"):
        if verbatim != line.startswith("  ") and line:
            verbatim = not verbatim
            lines.append(".PP\n.nf" if verbatim else ".fi\n.PP")
        if line.isupper() and line.isalpha():
            lines.append(f".B {line}")
        else:
            lines.append(escaped(line) if line else ".PP")
    return lines + [".fi"] * verbatim


def arguments(command):
    lines = []
    for argument in command["arguments"]:
        if not argument["shouldDisplay"] or argument["valueName"] in ("version", "help"):
            continue
        value = f"\\fI<{escaped(argument['valueName'])}>\\fR"
        names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", [])]
        label = ", ".join(f"\\fB{escaped(name)}\\fR" for name in names)
        if argument["kind"] != "flag":
            label = f"{label} {value}".strip()
        text = argument.get("abstract", "")
        if "allValues" in argument:
            text += f" One of {', '.join(argument['allValues'])}."
        lines += [".TP", label, escaped(text)]
    return lines


def commands(command, path=()):
    lines = []
    for child in command.get("subcommands", []):
        child_path = (*path, child["commandName"])
        if child["commandName"] == "help":
            continue
        if "subcommands" not in child:
            lines += [f".SS presign {escaped(' '.join(child_path))}"]
            for line in usage(child_path):
                line = line if line.startswith("presign") else f"presign {line}"
                lines += [f".B {escaped(line)}", ".br"]
            lines += [".PP", escaped(child["abstract"])]
            lines += [".PP", *discussion(child.get("discussion", "")), *arguments(child)]
        lines += commands(child, child_path)
    return lines


def page():
    root = json.loads(run("--experimental-dump-help"))["command"]
    version = run("--version").strip()
    return [
        f'.TH PRESIGN 1 "" "{escaped(version)}"',
        ".SH NAME", f"presign \\- {escaped(root['abstract'].rstrip('.'))}",
        ".SH SYNOPSIS", ".B presign", "\\fIsubcommand\\fR [\\fIoptions\\fR]",
        ".SH DESCRIPTION", *discussion(root["discussion"]),
        ".PP", "Every subcommand also accepts \\fB\\-\\-help\\fR and \\fB\\-\\-version\\fR.",
        ".SH COMMANDS", *commands(root),
        ".SH EXIT STATUS", *(line for code, text in EXIT_CODES for line in (".TP", f".B {code}", text)),
    ]


if len(sys.argv) != 2:
    sys.exit("usage: manual.py BINARY > presign.1")
print("\n".join(page()))
