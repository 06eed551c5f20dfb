#!/usr/bin/env bash
# The explorer in JupyterLab, driven by its keyboard in headless Chromium, and the same notebook exported as HTML.
#
# Installs Chromium where it is absent, and the package with its notebook extra into an environment of its own.
# Takes at most four minutes; starts everything in temporary folders and ends what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v chromium >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi

wheel=${FAIRREPORT_WHEEL:-}
if [[ -z $wheel ]]; then
    python -m hatchling build -t wheel -d "$work/dist" >/dev/null
    wheel=$(echo "$work"/dist/fairreport-*.whl)
fi
python3 -m venv "$work/lab"
timeout 160 "$work/lab/bin/python" -m pip install -qq -c constraints.txt "$wheel[notebook]" nbconvert playwright==1.65.2
timeout -k 15 $((SECONDS < 170 ? 230 - SECONDS : 60)) "$work/lab/bin/python" tests/gates/lab_explorer.py "$work/notebooks" ${LAB_PICTURES:+--pictures "$LAB_PICTURES"}
