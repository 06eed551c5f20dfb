"""The explorer in JupyterLab and in an exported notebook, as a reader at a keyboard meets it: leaves with 0 if it holds.

python lab_explorer.py FOLDER [--pictures FOLDER]   (needs jupyterlab, nbconvert and playwright, and Chromium)
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from served_notebooks import CHROMIUM, TOKEN, picture, say, served, stop

HOSTILE = "<img src=x onerror=alert(1)>"
CELL = f"""
import fairreport as fr

rates = {{"B": 310, "A": 400, {HOSTILE!r}: 390, "\u05e2\u05d1\u05e8\u05d9\u05ea": 360, "w" * 120: 380}}
rows = {{"race": [], "sex": [], "hired": [], "n": []}}
for race, hits in rates.items():
    for sex, share in (("F", 0.48), ("M", 0.52)):
        for hired, n in ((1, round(hits * share)), (0, round((1000 - hits) * share))):
            for name, value in (("race", race), ("sex", sex), ("hired", hired), ("n", n)):
                rows[name].append(value)
audit = fr.Audit(rows, title="Shortlist", counts="n").outcome_disparity("race", "hired", 1).outcome_disparity(
    "sex", "hired", 1
)
rules = [
    {{"id": "selected", "rate": "selection", "attribute": "sex", "max_group_gap": 0.05}},
    {{"id": "served", "rate": "selection", "attribute": "race", "worst_group": 0.25}},
]
audit.rate_gaps({{"sex": ["F", "M"], "race": list(rates)}}, "hired", "hired", rules, name="gaps")
audit.adverse_impact_ratio(
    outcome="hired",
    reference_values={{"race": "A", "sex": "M"}},
    air_threshold=0.8,
    percent_difference_threshold=0.01,
    name="pairs",
)
audit.explore()
"""
UNNAMED = """() => [...document.querySelectorAll('.jupyter-widgets input, .jupyter-widgets select, ' +
  '.jupyter-widgets textarea, button.jupyter-widgets, .jupyter-widgets [role=slider]')]
  .filter(it => it.offsetParent !== null && !it.classList.contains('widget-readout'))
  .filter(it => !(it.labels && it.labels.length && it.labels[0].textContent.trim()) && !it.title &&
    !it.textContent.trim() && !it.closest('.jupyter-widgets').querySelector('label')?.textContent.trim())
  .map(it => it.outerHTML.slice(0, 200))"""
FOCUSED = "() => document.activeElement.closest('.jupyter-widgets')?.querySelector('label')?.textContent.trim() || ''"
ORDER = ["Test", "Attributes", "Reference", "Ratio threshold"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True)
    write_notebook(folder / "explore.ipynb")
    signal.signal(signal.SIGTERM, stop)
    playwright = import_module("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
        try:
            with served("jupyterlab", folder, os.environ) as address:
                explore(browser, address, folder, arguments.pictures)
            read_export(browser, folder, arguments.pictures)
        finally:
            browser.close()
    say("all of it holds")


def write_notebook(path):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": CELL, "outputs": [], "execution_count": None}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")


def open_page(browser, allowed):
    """Return a page, and what must stay empty: dialogs, errors, and requests to anywhere but `allowed`."""
    page = browser.new_page(viewport={"width": 1280, "height": 2300})
    seen = {"dialogs": [], "errors": [], "foreign": set()}
    page.on("dialog", lambda it: (seen["dialogs"].append(it.message), it.dismiss()))
    page.on("pageerror", lambda it: seen["errors"].append(str(it)[:300]))
    page.on("request", lambda it: None if it.url.startswith(allowed) else seen["foreign"].add(it.url[:120]))
    return page, seen


def explore(browser, address, folder, pictures):
    page, seen = open_page(browser, (address, address.replace("http", "ws"), "data:", "blob:"))
    try:
        use(page, address, folder, pictures)
    except Exception:
        say(f"what the notebook shows: {page.locator('.jp-OutputArea-output').all_inner_texts()}; met: {seen}")
        picture(page, pictures, "failed.png")
        raise
    nothing(seen)
    page.close()


def use(page, address, folder, pictures):
    """Run the notebook and use the explorer by keyboard."""
    page.goto(f"{address}/lab/tree/explore.ipynb?token={TOKEN}&reset", wait_until="domcontentloaded")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=30_000)
    page.wait_for_selector("#jp-main-statusbar >> text=/Python 3.*\\| Idle/", timeout=30_000)
    say("JupyterLab shows the notebook")
    page.locator(".jp-Notebook .jp-Cell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".widget-slider .noUi-handle", timeout=30_000)
    outputs = page.locator(".jp-OutputArea-output")
    assert outputs.count() == 2, outputs.count()
    static = outputs.first.inner_text()
    assert "hired by race" in static, static
    assert HOSTILE in static, static
    reference = page.locator(".jupyter-widgets select").nth(2)
    assert reference.evaluate("it => it.selectedOptions[0].text").split() == ["the", "best", "group"]
    answer = page.locator(".jp-OutputArea-output").nth(1).locator(".fr").first
    assert "As stated" in answer.inner_text()
    say("the run stands first, then the explorer")
    picture(page, pictures, "lab-stated.png")

    assert page.evaluate(UNNAMED) == [], page.evaluate(UNNAMED)
    page.locator(".jupyter-widgets select").first.focus()
    found = []
    for _ in ORDER:
        found.append(page.evaluate(FOCUSED))
        page.keyboard.press("Tab")
    assert found == ORDER, found
    say("every control has a label, and Tab goes through them in their order")

    page.locator(".widget-slider .noUi-handle").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.fr-lead')].some(it => it.textContent.includes('failing → passing'))",
        timeout=10_000,
    )
    told = answer.locator(".fr-lead").inner_text()
    assert "group race = B now at or above 0.77 (ratio 0.775)" in told, told
    assert "0.77" in page.locator(".widget-readout").first.inner_text()
    assert "dashed at 0.77" in answer.inner_text()
    code = page.locator(".jupyter-widgets textarea").first.input_value()
    assert "impact_ratio_threshold=0.77" in code, code
    assert outputs.first.inner_text() == static
    say("the slider moved, the table and the line above it changed; the run above stayed")
    picture(page, pictures, "lab-moved.png")

    page.locator(".jupyter-widgets select").nth(1).select_option(label=["race", "sex"])
    page.wait_for_function("() => document.body.textContent.includes('not counted yet')", timeout=10_000)
    assert "One scan of the table counts them" in answer.inner_text()
    page.locator("button:has-text('Scan the table')").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.fr caption')].some(it => it.textContent.includes('race and sex'))",
        timeout=10_000,
    )
    say("another combination of attributes: asked for a scan, then answered")
    page.get_by_label("Draw the figure").check()
    page.wait_for_selector(".fr-figure svg > title", state="attached", timeout=20_000)
    picture(page, pictures, "lab-scanned.png")

    of_rules(page, answer, pictures)
    of_pairs(page, answer, pictures)
    picture_dark(page, pictures, "lab-dark.png")
    assert outputs.first.inner_text() == static
    page.locator("button:has-text('Save packet')").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.body.textContent.includes('Saved as')", timeout=30_000)
    assert "<html" in (folder / "packet.html").read_text(encoding="utf-8")[:200]
    say("the packet is written")
    assert page.locator("img[src=x]").count() == 0
    assert page.locator(".jp-Dialog").count() == 0


def of_rules(page, answer, pictures):
    """Move the bar of a rule on rate gaps, by keyboard."""
    choose_test(page, "gaps")
    wait_for_words(page, "As stated")
    assert "● PASS: every interval is within the bar" in answer.inner_text(), answer.inner_text()
    reached = tabbed(page, 6)
    assert reached == ["Test", "Rule", "Rate", "Groups by", "Bar on", "Bar"], reached
    slide(page, -1)
    wait_for_words(page, "rule selected PASS → INSUFFICIENT_EVIDENCE (widest pair F and M")
    slide(page, -3)
    wait_for_words(page, "still reads INSUFFICIENT_EVIDENCE and asks for the selection rate by sex, no gap above 0.01")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.fr td')].some(it => it.textContent.includes('gap ≤ 0.01'))",
        timeout=10_000,
    )
    assert "'max_group_gap': 0.01" in page.locator(".jupyter-widgets textarea").first.input_value()
    page.get_by_label("Rule", exact=True).select_option(label="served")
    page.wait_for_function(
        "name => document.querySelectorAll('.jp-OutputArea-output')[1].innerText.includes(name)",
        arg=HOSTILE,
        timeout=10_000,
    )
    page.wait_for_selector(".fr-figure svg > title", state="attached", timeout=20_000)
    say("rate gaps: the bar of a rule moved, its table and figure changed")
    picture(page, pictures, "lab-gaps.png")


def of_pairs(page, answer, pictures):
    """Move the threshold of named pairs, by keyboard."""
    choose_test(page, "pairs")
    wait_for_words(page, "As stated")
    reached = tabbed(page, 4)
    assert reached == ["Test", "Reference of", "Reference", "AIR threshold"], reached
    slide(page, -3)
    wait_for_words(page, "failing → passing: race / B no longer practically significant")
    page.wait_for_function("() => document.body.textContent.includes('AIR below 0.77')", timeout=10_000)
    assert "air_threshold=0.77" in page.locator(".jupyter-widgets textarea").first.input_value()
    page.get_by_label("Reference", exact=True).last.select_option(label="B")
    wait_for_words(page, "the reference of race is now B")
    assert page.locator("button:has-text('Scan the table')").is_disabled()
    say("named pairs: the threshold moved, then the reference, from the counts")
    picture(page, pictures, "lab-pairs.png")


def choose_test(page, name):
    page.get_by_label("Test", exact=True).select_option(label=name)


def wait_for_words(page, words):
    page.wait_for_function(
        "words => [...document.querySelectorAll('.fr-lead')].some(it => it.textContent.includes(words))",
        arg=words,
        timeout=10_000,
    )


def tabbed(page, n):
    """Return the labels of what is reached first, from the choice of the test on."""
    page.locator(".jupyter-widgets select").first.focus()
    found = []
    for _ in range(n):
        found.append(page.evaluate(FOCUSED))
        page.keyboard.press("Tab")
    return found


def slide(page, steps):
    """Move the slider that can be seen."""
    page.locator(".widget-slider .noUi-handle:visible").first.focus()
    for _ in range(abs(steps)):
        page.keyboard.press("ArrowLeft" if steps < 0 else "ArrowRight")


def picture_dark(page, folder, name):
    """Take a picture in the dark theme of JupyterLab."""
    if folder is not None:
        page.locator(".lm-MenuBar-itemLabel", has_text="Settings").click()
        page.locator(".lm-Menu-itemLabel", has_text="Theme").first.click()
        page.locator(".lm-Menu-itemLabel", has_text="JupyterLab Dark").first.click()
        page.wait_for_selector("body[data-jp-theme-light=false]", state="attached", timeout=10_000)
        page.wait_for_timeout(1_000)
        picture(page, folder, name)


def read_export(browser, folder, pictures):
    """Look at the notebook exported as HTML, with nothing loaded from anywhere."""
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "explore.ipynb"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    page, seen = open_page(browser, ("file:", "data:", "blob:", "https:"))
    page.route("https://**", lambda route: route.abort())
    page.goto((folder / "explore.html").as_uri(), wait_until="domcontentloaded")
    table = page.locator(".fr table").first
    assert table.is_visible()
    assert HOSTILE in table.inner_text()
    assert page.locator("img[src=x]").count() == 0
    picture(page, pictures, "export.png")
    seen["errors"].clear()  # the exported page looks for scripts that are not there; what it shows is what counts
    nothing(seen)
    say("the exported notebook shows the run")
    page.close()


def nothing(seen):
    assert not any(seen.values()), seen


if __name__ == "__main__":
    main()
