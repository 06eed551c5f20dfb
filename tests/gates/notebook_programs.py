"""A notebook with our displays in Notebook 7, papermill and nbconvert: leaves with 0 where all of them show it.

python notebook_programs.py FOLDER [--pictures FOLDER]   (needs notebook, papermill, nbconvert, playwright, Chromium)
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from served_notebooks import CHROMIUM, TOKEN, picture, say, served, stop

HOSTILE = "<img src=x onerror=alert(1)></style><script>alert(2)</script>"
AUDIT = f"""
import fairreport as fr

rows = {{"race": [], "hired": [], "n": []}}
for race, hits in {{"White": 400, "Black": 290, {HOSTILE!r}: 390, "Native": 7}}.items():
    for hired, n in ((1, hits), (0, 12 if race == "Native" else 1000 - hits)):
        for name, value in (("race", race), ("hired", hired), ("n", n)):
            rows[name].append(value)
run = fr.Audit(rows, title="Shortlist", counts="n").outcome_disparity("race", "hired", 1, name="by race").run()
run
"""
PLOT = "run.results[0].plot()"
COMPARISON = "fr.compare(run, run)"
LONG_READ = """
import time
from fairreport.tables.progress import reported

with reported(lambda: 40.0):
    time.sleep(3)
"read"
"""
CELLS = {"audit": AUDIT, "plot": PLOT, "compared": COMPARISON, "long": LONG_READ}
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True)
    signal.signal(signal.SIGTERM, stop)
    write_notebook(folder / "audit.ipynb")
    executed = run_papermill(folder)
    convert(folder, executed)
    playwright = import_module("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=[*CHROMIUM, OFFLINE])
        try:
            read_converted(browser, folder, arguments.pictures)
            with served("notebook", folder, outside_of_ci()) as address:
                use_notebook(browser, address, folder, arguments.pictures)
        finally:
            browser.close()
    say("all of it holds")


def write_notebook(path):
    cells = [
        {
            "cell_type": "code",
            "id": name,
            "metadata": {"tags": ["parameters"]} if name == "audit" else {},
            "source": source.strip(),
            "outputs": [],
            "execution_count": None,
        }
        for name, source in CELLS.items()
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")


def outputs_of(path):
    """Return the outputs of each cell by its name."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return {cell["id"]: cell["outputs"] for cell in notebook["cells"] if cell["id"] in CELLS}


def outside_of_ci():
    """Return the variables of this process as a person has them: a bar may show."""
    return {name: value for name, value in os.environ.items() if name != "CI"}


def run_papermill(folder):
    """Execute the notebook twice: the displays are kept, the same bytes each time, and no bar is left behind."""
    kept = []
    for number in (1, 2):
        command = [sys.executable, "-m", "papermill", "audit.ipynb", f"executed{number}.ipynb", "--no-progress-bar"]
        environment = outside_of_ci() | {"PYTHONHASHSEED": str(number)}
        subprocess.run(command, cwd=folder, check=True, capture_output=True, env=environment)
        kept.append(outputs_of(folder / f"executed{number}.ipynb"))
    assert kept[0] == kept[1], "two executions leave different outputs"
    for name in ("audit", "compared"):
        (shown,) = kept[0][name]
        assert list(shown["data"]) == ["text/html", "text/markdown", "text/plain"] or set(shown["data"]) == {
            "text/html", "text/markdown", "text/plain",
        }, list(shown["data"])  # fmt: skip
    assert "image/png" in kept[0]["plot"][0]["data"]
    assert [it["output_type"] for it in kept[0]["long"]] == ["execute_result"], kept[0]["long"]
    say("papermill keeps the displays, the same bytes twice, and a long read leaves nothing behind")
    return folder / "executed1.ipynb"


def convert(folder, executed):
    for kind in ("html", "slides", "markdown"):
        command = [sys.executable, "-m", "nbconvert", "--to", kind, "--output", f"as-{kind}", executed.name]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    text = (folder / "as-markdown.md").read_text(encoding="utf-8")
    text = re.sub(r"(?s)```python.*?```", "", text)  # the cells themselves
    assert "below 0.80, significant" in text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    say("nbconvert writes HTML, slides and Markdown")


def open_page(browser, allowed):
    """Return a page, and what must stay empty: dialogs, and what it tried to load from anywhere but `allowed`."""
    page = browser.new_page(viewport={"width": 1200, "height": 1400})
    seen = {"dialogs": [], "foreign": set()}
    page.on("dialog", lambda it: (seen["dialogs"].append(it.message), it.dismiss()))
    page.on("request", lambda it: None if it.url.startswith(allowed) else seen["foreign"].add(it.url[:120]))
    return page, seen


def read_converted(browser, folder, pictures):
    """Look at the converted notebooks, without the scripts of others that such pages ask for."""
    for kind, name in (("html", "as-html.html"), ("slides", "as-slides.slides.html")):
        page, seen = open_page(browser, ("file:", "data:", "blob:", "https:"))
        page.route("https://**", lambda route: route.abort())
        page.goto((folder / name).as_uri(), wait_until="domcontentloaded")
        table = page.locator(".fr table").first
        assert HOSTILE in table.text_content()
        assert kind == "slides" or table.is_visible()
        assert page.locator("img[src=x]").count() == 0
        assert page.locator(".fr").count() == 2
        picture(page, pictures, f"{kind}.png")
        assert not seen["dialogs"], seen
        assert not seen["foreign"], seen
        page.close()
    say("both show the tables; hostile names are text")


def use_notebook(browser, address, folder, pictures):
    """Run the cells as a person does, watch the bar come and go, and save."""
    page, seen = open_page(browser, (address, address.replace("http", "ws"), "data:", "blob:"))
    try:
        page.goto(f"{address}/notebooks/audit.ipynb?token={TOKEN}", wait_until="domcontentloaded")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=40_000)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=40_000)
        start_kernel(page)
        for position in range(len(CELLS)):
            page.locator(".jp-Notebook .jp-Cell .cm-content").nth(position).click()
            page.keyboard.press("Control+Enter")
        page.wait_for_selector(".jp-OutputArea-output .fr table", timeout=40_000)
        bar = page.locator(".jp-OutputArea-output", has_text=re.compile(r"reading\s+40%"))
        bar.wait_for(timeout=30_000)
        say("Notebook 7 shows the display, and a bar while a long read goes on")
        page.wait_for_function("() => document.body.innerText.includes(\"'read'\")", timeout=30_000)
        assert bar.count() == 0, bar.all_inner_texts()
        shown = page.locator(".jp-OutputArea-output .fr").first
        assert shown.locator("table").first.is_visible()
        assert HOSTILE in shown.inner_text()
        assert page.locator("img[src=x]").count() == 0
        assert page.locator(".jp-OutputArea-output img[src^='data:image/png']").count() == 1
        shown.scroll_into_view_if_needed()
        picture(page, pictures, "notebook-7.png")
        page.keyboard.press("Control+s")
        saved = wait_for_saved(folder / "audit.ipynb")
        assert "reading" not in json.dumps(saved["long"]), saved["long"]
        assert "text/html" in saved["audit"][0]["data"]
    except Exception:
        say(f"what the notebook shows: {page.locator('.jp-OutputArea-output').all_inner_texts()}; met: {seen}"[:3000])
        picture(page, pictures, "failed.png")
        raise
    assert not seen["dialogs"], seen
    assert not seen["foreign"], seen
    say("the bar is gone, and nothing of it is in the saved notebook")
    page.close()


def start_kernel(page):
    """Run the first cell until that is taken: before the kernel is connected the key does nothing."""
    cell = page.locator(".jp-Notebook .jp-Cell").first
    for _ in range(15):
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        with suppress(import_module("playwright.sync_api").TimeoutError):
            cell.locator(".jp-InputPrompt", has_text=re.compile(r"\[(\*|\d+)\]")).wait_for(timeout=2_000)
            return
    raise RuntimeError("the notebook runs no cell")


def wait_for_saved(path):
    for _ in range(100):
        saved = outputs_of(path)
        if saved["long"]:
            return saved
        time.sleep(0.1)
    raise RuntimeError("the notebook was not saved")


if __name__ == "__main__":
    main()
