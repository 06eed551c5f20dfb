#!/usr/bin/env bash
# The explorer in JupyterLab, driven by its keyboard in headless Chromium, and the same notebook exported as HTML.
#
# Installs Chromium where it is absent, and the package with its notebook extra into an environment of its own.
# Takes at most four minutes; starts everything in temporary folders and ends what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."

source tests/gates/prepare.bash

if ! command -v chromium >/dev/null; then install_packages chromium; fi

python3 -m venv "$work/lab"
timeout 300 "$work/lab/bin/python" -m pip install -qq -c constraints.txt "$wheel[notebook]" nbconvert playwright==1.65.2
timeout -k 15 300 "$work/lab/bin/python" tests/gates/lab_explorer.py "$work/notebooks" ${LAB_PICTURES:+--pictures "$LAB_PICTURES"}
