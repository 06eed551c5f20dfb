#!/usr/bin/env python3
"""Set fairreport up on a machine that has nothing but Python 3.11 or newer, and do a job.

    python3 run.py demo         write the packet of the bundled real data into demo/ and say where it is
    python3 run.py test         run the tests, the examples in docstrings and the notebooks
    python3 run.py notebooks    execute the notebooks again, in place
    python3 run.py setup        set up and stop

Everything is installed into .venv beside this file; a second run starts at once. What follows the job
is handed on: python3 run.py test -k cli. Tests marked heavy take long and run only where they are asked for:
python3 run.py test -m heavy
"""

import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OURS = VENV / "made-by-run.py"
STAMP = VENV / "complete"
EXTRAS = {"demo": "pdf", "test": "dev", "notebooks": "dev", "setup": "dev"}
PANGO = {
    "apt-get": "apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "dnf": "dnf install -y pango",
    "apk": "apk add pango",
    "pacman": "pacman -S pango",
    "brew": "brew install pango",
}


def say(text):
    print(f"run.py: {text}", file=sys.stderr, flush=True)


def stop(text):
    say(text)
    sys.exit(2)


def is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def sudo(command):
    return command if is_root() or command.startswith("brew") else f"sudo {command}"


def works(*command):
    """Run one step of the set-up and tell whether it went well; what it says itself is shown."""
    try:
        return subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL).returncode == 0
    except OSError as error:
        say(f"{command[0]}: {error}")
        return False


def apt_get(*packages):
    """Install Debian packages where we may; return whether that was done."""
    if not (shutil.which("apt-get") and is_root()):
        return False
    quiet = {
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
        "text": True,
    }
    subprocess.run(["apt-get", "update", "-qq"], **quiet)
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    done = subprocess.run(install, **quiet)
    if done.returncode:
        sys.stderr.write(done.stdout)
    return done.returncode == 0


def wanted_stamp(extra):
    """What a finished set-up depends on: change any of it, and it is made anew."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    parts += [sys.version.encode(), str(ROOT).encode()]
    return f"{hashlib.sha256(b''.join(parts)).hexdigest()} {extra}"


def is_complete(extra):
    if not STAMP.exists() or not PYTHON.exists():
        return False
    found = STAMP.read_text().splitlines()
    return wanted_stamp(extra) in found or (extra == "pdf" and wanted_stamp("dev") in found)


def clear_venv():
    """Make an empty .venv that bears our mark, so that it is never taken for somebody else's."""
    if VENV.exists() and not OURS.exists():
        stop(f"{VENV} was not made by run.py; move it away, or work in it yourself (see CONTRIBUTING.md)")
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir()
    OURS.write_text("run.py makes this folder anew whenever it has to; keep nothing of yours in it\n")


def install_with_uv(uv, packages):
    clear_venv()
    made = works(uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, VENV)
    return made and works(uv, "pip", "install", "--quiet", "--python", PYTHON, *packages)


def install_with_pip(packages):
    if importlib.util.find_spec("ensurepip") is None:
        names = (f"python3.{sys.version_info[1]}-venv", "python3-venv")
        if not any(apt_get(name) for name in names):
            stop(f"this Python cannot make environments. Type:  {sudo('apt-get install -y python3-venv')}")
    clear_venv()
    if not works(sys.executable, "-m", "venv", VENV):
        stop("could not make .venv (see above); nothing counts as done, try again")
    if not works(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages):
        stop("could not install the packages (see above); nothing counts as done, try again")


def install(extra):
    """Install the package with an extra; the stamp is written when all of it went well."""
    say(f"setting up .venv for fairreport[{extra}]; this takes a minute or two, once")
    packages = ("--constraint", ROOT / "constraints.txt", "--editable", f"{ROOT}[{extra}]")
    uv = shutil.which("uv")
    if not (uv and install_with_uv(uv, packages)):
        if uv:
            say("uv could not do it (see above); trying pip")
        install_with_pip(packages)
    STAMP.write_text(f"{wanted_stamp(extra)}\n")


def can_write_pdf():
    trial = subprocess.run([str(PYTHON), "-c", "import weasyprint"], capture_output=True, stdin=subprocess.DEVNULL)
    return trial.returncode == 0


def prepare_pdf():
    """Get the text libraries that PDF needs, or say what to type and go on."""
    mark = f"{wanted_stamp('pango')}\n"
    if mark in STAMP.read_text():
        return
    if not can_write_pdf():
        say("PDF needs the Pango text libraries, which this machine lacks")
        if not (apt_get("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0") and can_write_pdf()):
            command = next((line for tool, line in PANGO.items() if shutil.which(tool)), None)
            say(
                f"going on without PDF. Type:  {sudo(command)}"
                if command
                else "going on without PDF. Install Pango 1.44 or newer"
            )
            return
    with STAMP.open("a") as stamp:
        stamp.write(mark)


def run(*command):
    """Run a command of the job itself and return its exit code."""
    environment = {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}",
        "VIRTUAL_ENV": str(VENV),
    }
    try:
        return subprocess.run([str(part) for part in command], env=environment, cwd=ROOT).returncode
    except KeyboardInterrupt:
        return 130


def job(name, more):
    if name == "demo":
        return run(PYTHON, "-m", "fairreport", "demo", *more)
    if name == "test":
        if "-m" not in more:
            more = ["-m", "not heavy", *more]
            say("tests marked heavy are left out; run them, too:  python3 run.py test -m heavy")
        places = ("tests", "fairreport", "notebooks", "--nbval")
        return run(PYTHON, "-m", "pytest", *places, "-n", "auto", "--dist", "loadfile", *more)
    if name == "notebooks":
        books = more or sorted(str(path.relative_to(ROOT)) for path in (ROOT / "notebooks").glob("*.ipynb"))
        execute = (
            *("nbconvert", "--to", "notebook", "--execute", "--inplace", "--log-level=ERROR"),
            "--ExecutePreprocessor.record_timing=False",  # nothing of this machine is stored
            "--ClearMetadataPreprocessor.enabled=True",
            "--ClearMetadataPreprocessor.preserve_nb_metadata_mask={('language_info', 'name'), 'kernelspec'}",
            "--ClearMetadataPreprocessor.preserve_cell_metadata_mask={'tags'}",  # papermill looks for its parameters
        )
        return run(PYTHON, "-m", "jupyter", *execute, *books)
    return 0


def main():
    if sys.version_info < (3, 11):
        stop(f"fairreport needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    if len(sys.argv) < 2 or sys.argv[1] not in EXTRAS:
        sys.exit(__doc__)
    name, more = sys.argv[1], sys.argv[2:]
    try:
        if not is_complete(EXTRAS[name]):
            install(EXTRAS[name])
        prepare_pdf()
    except KeyboardInterrupt:
        stop("interrupted; nothing counts as done, try again")
    sys.exit(job(name, more))


if __name__ == "__main__":
    main()
