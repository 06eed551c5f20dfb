#!/usr/bin/env bash
# Every kind of result as a notebook shows it, judged in seven places by a browser: contrast and structure (axe-core),
# valid HTML, words without styles, a style sheet that stays at home, no id, no address, nothing that runs, and sizes.
# Each kind with 1, 5, 40 and 1,000 groups, with too few rows, without rows, without its column, and with hostile names.
#
# Installs Chromium and npm where they are absent, the package and Playwright into an environment of its own, and
# axe-core and html-validate with npm. JupyterLab, VS Code, Colab and Quarto are imitated by their style sheets here;
# lab.sh and notebook.sh run Jupyter itself. Takes about four minutes on two free cores.
set -euo pipefail
cd "$(dirname "$0")/../.."

source tests/gates/prepare.bash

absent=()
command -v chromium >/dev/null || absent+=(chromium)
command -v npm >/dev/null || absent+=(nodejs npm)
install_packages "${absent[@]}"

python3 -m venv "$work/display"
python=$work/display/bin/python
timeout 300 "$python" -m pip install -qq -c constraints.txt "$wheel[pdf]" ipywidgets nbconvert playwright==1.65.2 tinycss2
timeout 300 npm install --prefix "$work/npm" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts --silent \
    axe-core@4.14.1 html-validate@9.7.1
timeout -k 15 400 "$python" tests/gates/display_corpus.py "$work/displays"
HOME=$work timeout -k 15 "${DISPLAY_SECONDS:-900}" "$python" tests/gates/display.py "$work/displays" --tools "$work/npm" \
    ${DISPLAY_PICTURES:+--pictures "$DISPLAY_PICTURES"}
