"""The wheel holds the tree: every module, template and asset, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile

import pytest


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, root):
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_package_is_whole(wheel, root, tree):
    wanted = {path.relative_to(root).as_posix(): path.read_bytes() for path in tree("fairreport")}
    found = {name: content for name, content in wheel.items() if name.startswith("fairreport/")}
    assert {name: content for name, content in found.items() if "/_resources/" not in name} == wanted


@pytest.mark.parametrize("kind", ["templates", "assets"])
def test_templates_and_assets_are_whole(wheel, root, tree, kind):
    wanted = {path.relative_to(root).as_posix(): path.read_bytes() for path in tree(kind)}
    prefix = f"fairreport/_resources/{kind}/"
    found = {
        f"{kind}/{name.removeprefix(prefix)}": content for name, content in wheel.items() if name.startswith(prefix)
    }
    assert sorted(found) == sorted(wanted)
    assert found == wanted


def test_what_else_is_in_it(wheel):
    others = {name.partition("/")[2] for name in wheel if not name.startswith("fairreport/")}
    assert others == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}


def test_it_is_small_enough_to_install_in_a_breath(wheel):
    assert sum(map(len, wheel.values())) < 8_000_000


def test_sample_data_comes_with_its_licences(wheel):
    notes = wheel["fairreport/_resources/assets/data/README.md"].decode()
    data = [name.rpartition("/")[2] for name in wheel if "/assets/data/" in name and not name.endswith("README.md")]
    for name in data:
        assert f"## {name}\n" in notes
    assert notes.count("\n- Licence: ") >= 2
    assert notes.count("\n- Source: ") >= 2
