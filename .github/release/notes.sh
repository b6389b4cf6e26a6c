#!/usr/bin/env bash
# Prints the notes of a release: its section of .github/CHANGELOG.md, and how to get and verify it.
#
#   .github/release/notes.sh 1.2.3 IMAGE@DIGEST SWIFT_IMAGE@DIGEST DEBIAN_IMAGE@DIGEST
set -euo pipefail
cd "$(dirname "$0")/../.."

# An image is named ghcr.io/OWNER/REPOSITORY@DIGEST.
version=${1:?usage: notes.sh VERSION IMAGE SWIFT_IMAGE DEBIAN_IMAGE} image=${2:?} swift=${3:?} debian=${4:?}
repository=${image#*/} repository=${repository%%@*}

awk -v heading="## [$version]" '
    /^## / { wanted = index($0, heading) == 1; next }
    wanted && !/^\[[^]]*\]: /' .github/CHANGELOG.md | sed '/./,$!d'
cat <<EOF

### Install

- Image, for linux/amd64 and linux/arm64: \`${image%%@*}:$version\`, which is \`$image\`.
- Binaries with the Swift runtime inside, for Debian 12 or another Linux with glibc 2.35 or later. They need the
  packages libcurl4, libssl3, libstdc++6 and ca-certificates. Check them with \`sha256sum --check --ignore-missing SHA256SUMS\`.
- The aarch64 binary and the arm64 image are built but not tested: the tests run on x86_64.

### Built from

| base image | digest |
|---|---|
| \`${swift%%@*}\` (compiler) | \`${swift##*@}\` |
| \`${debian%%@*}\` (libraries) | \`${debian##*@}\` |

Archives and image carry a signed build provenance: \`gh attestation verify ARCHIVE --repo $repository\`, or
\`oci://$image\` instead of the archive. Each archive has a signed SBOM (\`.spdx.json\`). Both contain the package versions of the attached
\`Package.resolved\`, with which the tests ran.

The image carries an SBOM and provenance: \`docker buildx imagetools inspect $image --format '{{json .Provenance}}'\`
(or \`.SBOM\`). Debian's packages are upgraded during the build, so a later build from the same digests can differ. The
binaries are not bit-reproducible; CONTRIBUTING.md says which sections differ.
EOF
