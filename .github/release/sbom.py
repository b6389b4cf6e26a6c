#!/usr/bin/env python3
"""Prints the SBOM of an archive (SPDX 2.3): its Swift packages, the Swift runtime, and the Debian libraries it loads.

usage: sbom.py VERSION BINARY     reads Package.resolved; needs swift, ldd and dpkg-query
"""
import datetime, hashlib, json, os, pathlib, re, subprocess, sys

version, binary = sys.argv[1:]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def package(number, name, its, **more):
    return {"SPDXID": f"SPDXRef-{number}", "name": name, "versionInfo": its, "downloadLocation": "NOASSERTION", **more}


found = [("Swift runtime", re.search(r"Swift version (\S+)", run("swift", "--version"))[1], "pkg:generic/swift")]
for pin in json.loads(pathlib.Path("Package.resolved").read_text())["pins"]:
    place = pin["location"].removeprefix("https://").removesuffix(".git")
    found.append((pin["identity"], pin["state"]["version"], f"pkg:swift/{place}"))
libraries = {os.path.basename(os.path.realpath(path)) for path in re.findall(r"=> (/\S+)", run("ldd", binary))}
owners = {line.split(":")[0] for name in libraries for line in run("dpkg-query", "-S", f"*/{name}").splitlines()}
found += [(name, run("dpkg-query", "-W", "-f=${Version}", name), f"pkg:deb/debian/{name}") for name in sorted(owners)]
digest = hashlib.sha256(pathlib.Path(binary).read_bytes()).hexdigest()
hashes = [{"algorithm": "SHA256", "checksumValue": digest}]
packages = [package(0, "presign", version, licenseDeclared="Apache-2.0", checksums=hashes)]
for number, (name, its, purl) in enumerate(found, 1):
    place = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"{purl}@{its}"}
    packages.append(package(number, name, its, externalRefs=[place]))
relations = [("DOCUMENT", "DESCRIBES", 0)] + [(0, "DEPENDS_ON", number) for number in range(1, len(packages))]
now = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
created = {"created": now, "creators": ["Tool: presign-sbom.py"]}
place = f"https://github.com/{os.environ.get('GITHUB_REPOSITORY', 'owner/presign')}/sbom/{digest}"
edges = [{"spdxElementId": f"SPDXRef-{a}", "relationshipType": kind, "relatedSpdxElement": f"SPDXRef-{b}"}
         for a, kind, b in relations]
head = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"presign {version}"}
print(json.dumps(head | {"documentNamespace": place, "creationInfo": created, "packages": packages,
                         "relationships": edges}, indent=1))
