#!/usr/bin/env bash
# The notebook of a scheduled audit through papermill, from the wheel, in an environment of its own.
#
# papermill's command line with parameters of every kind it changes, its Python interface, and
# `fairreport schedule run --papermill`. Takes at most four minutes; works in a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

source tests/gates/prepare.bash

python3 -m venv "$work/env"
timeout 300 "$work/env/bin/python" -m pip install -qq -c constraints.txt "$wheel[schedule,pdf]"
timeout -k 15 400 "$work/env/bin/python" tests/gates/papermill_parameters.py "$work/audits"
