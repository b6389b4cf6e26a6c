#!/usr/bin/env python3
"""Shows that the tests of `presign diff-rules` find defects: puts each of the DEFECTS into its source, and runs the tests.

    Tests/mutate_rules.py                  builds once with all defects, runs the tests with each of them, and restores
    Tests/mutate_rules.py --patch          only puts them in, each behind the variable PRESIGN_DEFECT
    Tests/mutate_rules.py --run PROGRAM    only runs the tests of a build with them
    Tests/mutate_rules.py --restore        only takes them out

Exit code 1 if a defect is not found.
"""

import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Sources/PresignTools/Comparing"
SWITCH = FOLDER / "Defect.swift"
# The quick suite first.
SUITES = ["PresignToolsTests.ComparisonTests", "PresignToolsTests.ComparisonPropertyTests"]

# File, what is wrong, the text, and the text with the defect.
DEFECTS = [
    ("PathWalk", "literals of denials are not tried", "literals.formUnion(globs.filter { !$0", "literals.formUnion(globs.filter { !D && !$0"),
    ("PathWalk", "values of API keys are not tried", "if captures(at: place) { literals", "if captures(at: place), !D { literals"),
    ("PathWalk", "captured values are forgotten", "if !repeats.isEmpty || !values.isEmpty, captures", "if !repeats.isEmpty || !values.isEmpty, !D, captures"),
    ("PathWalk", "what a segment decides when it is captured again does not matter", "literals.formUnion(repeats.flatMap", "literals.formUnion((D ? [] : repeats).flatMap"),
    ("PathWalk", "only one free word is tried", "return free + literals", "return (D ? Array(free.prefix(1)) : free) + literals"),
    ("PathWalk", "a denial of the old file is taken for one of the new", "actions[denied[index].file]", "actions[D ? 0 : denied[index].file]"),
    ("PathWalk", "`a/**` of a denial matches `a`", "return segments.last == .rest ?", "return segments.last == .rest && !D ?"),
    ("PathWalk", "a rule with `**` does not matter where other rules are alike", "replacingRest(by: $1)", "replacingRest(by: D ? $1.map { _ in 0 } : $1)"),
    ("PathWalk", "rules are alike whatever they capture", "(placeholders, grants) = (Dictionary", "(placeholders, grants) = (D ? [:] : Dictionary"),
    ("StarAutomaton", "a star matches one symbol at least", "while symbols[index] == star {", "while symbols[index] == star, !D {"),
    ("CallerNeeds", "`groups: exclusive` is ignored", "if isExclusive, groups.isEmpty {", "if isExclusive, groups.isEmpty, !D {"),
    ("CallerNeeds", "no claim is needed", "case .claim(let name): needs.claims = [name: value]", "case .claim(let name): needs.claims = D ? [:] : [name: value]"),
    ("CallerNeeds", "of all callers only guests are asked", "claims: claims))\n        if", "claims: claims))\n        if D, callers.count > 1 { callers.removeLast() }\n        if"),
    ("HardestRequests", "sizes are not compared", "let largest = size ??", "let largest = D ? 1 : size ??"),
    ("HardestRequests", "types are not compared", "(storesType ? contentTypes : [nil])", "(storesType && !D ? contentTypes : [nil])"),
    ("HardestRequests", "overrides are not compared", "case .any: base.responseOverrides", "case .any where D: break\n            case .any: base.responseOverrides"),
    ("HardestRequests", "lifetimes are not compared", "base.share == nil ? lifetime : nil", "base.share == nil && !D ? lifetime : nil"),
    ("HardestRequests", "only the last full part is asked", "return [(full, size), (full", "return [(full, size), (D ? full : full"),
    ("HardestRequests", "settings are not compared", "return chosen.isEmpty ?", "return chosen.isEmpty || D ?"),
    ("HardestRequests", "versions are not compared", "base.versionId = limits", "base.versionId = D ? nil : limits"),
    ("HardestRequests", "share links are not compared", "if !base.caller.isGuest,", "if !base.caller.isGuest, !D,"),
    ("RuleDifference", "`overwrite` is not compared", "if other.ifNoneMatch == true,", "if other.ifNoneMatch == true, !D,"),
    ("RuleDifference", "both directions count as one", "lax: lax, action: request.action,", "lax: D ? 0 : lax, action: request.action,"),
    ("PolicyComparison", "a listing needs the grant of one rule", "options.compactMap { one.adding($0) }", "options.compactMap { D ? one : one.adding($0) }"),
]


def patch():
    for number, (name, _, text, defect) in enumerate(DEFECTS, 1):
        file = FOLDER / f"{name}.swift"
        source = file.read_text()
        if source.count(text) != 1:
            sys.exit(f"{file.name}: {text!r} stands there {source.count(text)} times")
        file.write_text(source.replace(text, defect.replace("!D", f"!(Defect.number == {number})").replace(
            "D ?", f"Defect.number == {number} ?").replace("D ||", f"Defect.number == {number} ||").replace(
            "if D,", f"if Defect.number == {number},").replace("where D:", f"where Defect.number == {number}:")))
    SWITCH.write_text("""import Glibc

enum Defect {
    static let number = unsafe getenv("PRESIGN_DEFECT").flatMap { unsafe Int(String(cString: $0)) } ?? 0
}
""")


def restore():
    SWITCH.unlink(missing_ok=True)
    subprocess.run(["git", "checkout", "-q", "--", str(FOLDER)], check=True)


def passes(program, number):
    environment = os.environ | {"PRESIGN_DEFECT": str(number)}
    return all(subprocess.run([program, "--testing-library", "swift-testing", "--filter", suite], env=environment,
                              capture_output=True).returncode == 0 for suite in SUITES)


def run(program):
    if not passes(program, 0):
        sys.exit("the tests fail without a defect")
    missed = 0
    for number, (_, text, _, _) in enumerate(DEFECTS, 1):
        is_missed = passes(program, number)
        missed += is_missed
        print("MISSED" if is_missed else "found ", text, flush=True)
    print(f"{len(DEFECTS) - missed} of {len(DEFECTS)} defects are found")
    return 1 if missed else 0


match sys.argv[1:]:
    case ["--patch"]: patch()
    case ["--restore"]: restore()
    case ["--run", program]: sys.exit(run(program))
    case []:
        patch()
        try:
            subprocess.run(["swift", "build", "--build-tests"], check=True)
            path = subprocess.run(["swift", "build", "--show-bin-path"], check=True, capture_output=True, text=True).stdout
            sys.exit(run(path.strip() + "/presignPackageTests.xctest"))
        finally:
            restore()
    case _: sys.exit(__doc__)
