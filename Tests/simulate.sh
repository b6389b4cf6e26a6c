#!/usr/bin/env bash
# Runs presign.js in a simulated browser, with a simulated network, service and storage. A seed decides what happens, so
# it replays a failure exactly. Needs node 18 or later.
#
#   Tests/simulate.sh [--seeds COUNT]                 seeds 1 to COUNT (default 200)
#   Tests/simulate.sh --minutes MINUTES               new seeds for some minutes
#   Tests/simulate.sh --seed SEED [--without 3,5]     prints the history of a seed, without some of its actions, and
#                                                     shortens a failing one to the actions that it needs
#   Tests/simulate.sh --mutations                     shows that defects put into presign.js are found
set -euo pipefail
exec node --no-warnings --experimental-vm-modules "$(dirname "$0")/Simulation/browser/simulate.mjs" "$@"
