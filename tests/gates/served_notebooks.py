"""JupyterLab or Notebook on a free port of this machine, and a page of a browser that notes what it must not meet."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

TOKEN = "only-for-this-run"
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
"""What the browser is started with."""
STARTED = time.perf_counter()


@contextmanager
def served(program, folder, environment):
    """Run the Jupyter program of that name over a folder, in folders of its own; yield its address.

    `environment` is what it takes over of the variables of this process.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = Path(tempfile.mkdtemp(prefix=f"fairreport-{program}-"))
    quiet = home / "config/lab/user-settings/@jupyterlab/apputils-extension"
    quiet.mkdir(parents=True)
    settings = {"fetchNews": "false", "checkForUpdates": False}
    (quiet / "notification.jupyterlab-settings").write_text(json.dumps(settings))
    environment = dict(environment) | {
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
    }
    command = [sys.executable, "-m", program, "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", "--allow-root"]
    log = home / "server.log"
    with log.open("w") as written:
        server = subprocess.Popen(
            [*command, f"--ServerApp.root_dir={folder}"],
            env=environment,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/api/status?token={TOKEN}", program, server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        end(server)
        shutil.rmtree(home, ignore_errors=True)


def wait_for(address, program, server, log):
    for _ in range(400):
        if server.poll() is not None:
            break
        with suppress(urllib.error.URLError, TimeoutError), urllib.request.urlopen(address, timeout=2):
            return
        time.sleep(0.1)
    raise RuntimeError(f"{program} did not start:\n{log.read_text()[-2000:]}")


def end(server):
    """End the server, which ends its kernels, by its id."""
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(5)


def stop(_number, _frame):
    """End in good order when told to, so that what was started is ended."""
    sys.exit("stopped before it was through")


def say(text):
    sys.stdout.write(f"{time.perf_counter() - STARTED:6.1f} s  {text}\n")
    sys.stdout.flush()


def picture(page, folder, name):
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / name)
