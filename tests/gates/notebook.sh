#!/usr/bin/env bash
# A notebook with our displays in the programs that open, run and convert notebooks: Notebook 7 in headless Chromium,
# papermill, and nbconvert to HTML, slides and Markdown. Nothing is loaded from outside.
#
# Installs Chromium where it is absent, and the package with these programs into an environment of its own.
# Takes at most four minutes; starts everything in temporary folders and ends what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."

source tests/gates/prepare.bash

if ! command -v chromium >/dev/null; then install_packages chromium; fi

python3 -m venv "$work/programs"
python=$work/programs/bin/python
timeout 300 "$python" -m pip install -qq -c constraints.txt "$wheel[notebook]" nbconvert papermill==2.7.0 notebook==7.6.5 \
    playwright==1.65.2
timeout -k 15 300 "$python" tests/gates/notebook_programs.py "$work/notebooks" ${NOTEBOOK_PICTURES:+--pictures "$NOTEBOOK_PICTURES"}
