"""Judge every display in a browser, in seven places: leaves with 0 where nothing is wrong with any.

python display.py FOLDER --tools FOLDER [--pictures FOLDER] [--only NAME...]

FOLDER is what display_corpus.py wrote; tools are where npm put axe-core and html-validate. The places are imitated by
their style sheets (display_hosts.py). Names judge only displays whose names begin so.
"""

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

from display_broken import BROKEN, BROKEN_TEXTS, display
from display_hosts import HOSTS, page_of
from display_style import strays

from fairreport.render.text_layout import columns_of

MOST_BYTES = 80 * 1024
MOST_LINES, MOST_COLUMNS = 15, 100
JOINERS = "\u200c\u200d"
BATCH, AT_ONCE = 10, 3
SECONDS = 60
HERE = Path(__file__).resolve().parent
SCRIPT = (HERE / "display_page.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
]


class Judge:
    """Collects what is wrong, by display."""

    def __init__(self, folder, tools, pictures=None, begin=()):
        self.folder, self.tools, self.pictures = folder, tools, pictures
        names = {path.stem for path in self.folder.glob("*.html")}
        self.names = sorted(n for n in names if not begin or n.startswith(tuple(begin)))
        self.pages = sorted(self.folder.glob("*.page"))
        self.html = {name: (self.folder / f"{name}.html").read_text(encoding="utf-8") for name in self.names}
        self.bare, self.said, self.faults = {}, {}, {}

    def wrong(self, name, check, *texts):
        for text in texts:
            self.faults.setdefault(name, []).append(f"{check}: {text}")

    def judge(self):
        self.judge_texts()
        self.judge_validity(self.folder / "valid")
        asyncio.run(self.browse())
        self.judge_words()

    async def browse(self):
        started = import_module("playwright.async_api").async_playwright
        async with started() as playwright:
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
            try:
                await self.dissect(browser)
                room = asyncio.Semaphore(AT_ONCE)
                batches = [self.names[i : i + BATCH] for i in range(0, len(self.names), BATCH)]
                visits = [self.visit(browser, room, host, batch) for host in HOSTS for batch in batches]
                await asyncio.gather(*visits, *(self.trap(browser, room, name, text) for name, text in self.others()))
            finally:
                await browser.close()

    async def dissect(self, browser):
        """Look at each display without running it, and keep it without its styles."""
        page = await browser.new_page()
        for name, text in self.html.items():
            found = await page.evaluate(f"text => {{{SCRIPT}\nreturn anatomy(text)}}", text)
            self.bare[name] = found["bare"]
            self.wrong(name, "made of", *found["faults"])
            self.wrong(name, "style sheet", *strays(found["style"]))
        await page.close()

    async def visit(self, browser, room, host, names):
        async with room:
            try:
                await asyncio.wait_for(self.look(browser, host, names), SECONDS)
            except Exception as error:  # noqa: BLE001 - whatever it is, these displays were not judged
                for name in names:
                    self.wrong(name, host, f"not judged: {type(error).__name__} {str(error)[:120]}")

    async def look(self, browser, host, names):
        is_stripped = HOSTS[host].is_stripped
        page, heard = await open_page(browser, HOSTS[host].scheme)
        texts = [self.bare[name] if is_stripped else self.html[name] for name in names]
        await page.set_content(page_of(host, texts), wait_until="load")
        if self.pictures:
            await self.picture(page, host, names)
        await page.evaluate(f"() => {{{SCRIPT}\nunfold()}}")
        await page.evaluate((self.tools / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
        rules = ("tag", RULES) if host in {"jupyter-light", "stripped"} else ("rule", ["color-contrast"])
        broken = await page.evaluate(f"async ([kind, values]) => {{{SCRIPT}\nreturn await audit(kind, values)}}", rules)
        cut = [] if is_stripped else await page.evaluate(f"() => {{{SCRIPT}\nreturn clipped()}}")
        said = await page.evaluate(f"() => {{{SCRIPT}\nreturn words()}}")
        for i, name in enumerate(names):
            found = [it for it in broken[i] if not (is_stripped and it.startswith("contrast undecided"))]
            self.wrong(name, host, *found[:5], *(f"cut off: {it}" for it in (cut[i][:3] if cut else [])))
            self.wrong(name, host, *(f"words of a style sheet: {it}" for it in said[i]["made"]))
            self.said.setdefault(name, {})[host] = said[i]["seen"]
        await self.close(page, heard, names, host)

    async def close(self, page, heard, names, where):
        heard += await page.evaluate("() => window.tried")
        for name in names:
            self.wrong(name, where, *(f"not still (of {len(names)} displays): {it}" for it in dict.fromkeys(heard)))
        await page.context.close()

    async def picture(self, page, host, names):
        for i, name in enumerate(names):
            await page.locator(f"[data-display='{i}']").screenshot(path=self.pictures / f"{name}-{host}.png")

    def others(self):
        """Yield the name and text of everything else that is made of hostile data, as pages."""
        for path in self.pages:
            yield path.name, path.read_text(encoding="utf-8")
        to_html = import_module("nbconvert.filters").markdown2html
        for name in (name for name in self.names if "hostile" in name):
            yield f"{name}.md", to_html((self.folder / f"{name}.md").read_text(encoding="utf-8"))

    async def trap(self, browser, room, name, text):
        """Open a page and poke at it; nothing may come of that."""
        async with room:
            page, heard = await open_page(browser, "light")
            try:
                await page.set_content(text, wait_until="load", timeout=SECONDS * 1000)
                count = (
                    "() => document.querySelectorAll('script, iframe, object, embed, img[src]:not([src^=data])').length"
                )
                addresses = (
                    "() => [...document.querySelectorAll('[href], [action]')].map(it => it.getAttribute('href'))"
                    ".filter(it => it && !/^(#|data:)/.test(it))"
                )
                if await page.evaluate(count):
                    self.wrong(name, "trap", "an element that runs or loads")
                self.wrong(name, "trap", *(f"address {it[:60]}" for it in await page.evaluate(addresses)))
                await self.close(page, heard, [name], "trap")
            except Exception as error:  # noqa: BLE001 - whatever it is, it was not judged
                self.wrong(name, "trap", f"not judged: {type(error).__name__} {str(error)[:120]}")

    def judge_words(self):
        """Nothing is said by a style or a drawing alone, and every text is a text."""
        for name, said in self.said.items():
            here, bare = (Counter(WORD.findall(said.get(host, ""))) for host in ("jupyter-light", "stripped"))
            lost, more = here - bare, bare - here
            if lost or more or not here:
                self.wrong(name, "words", f"lost without style: {list(lost)[:8]}; only without style: {list(more)[:8]}")

    def judge_texts(self):
        for name, text in self.html.items():
            size = len(text.encode())
            if size > MOST_BYTES:
                self.wrong(name, "size", f"{size:,} bytes")
            plain = (self.folder / f"{name}.txt").read_text(encoding="utf-8")
            lines = plain.split("\n")
            widest = max(map(columns_of, lines))
            if len(lines) > MOST_LINES or widest > MOST_COLUMNS:
                self.wrong(name, "plain text", f"{len(lines)} lines, the longest of {widest}")
            if not all(it == "\n" or it.isprintable() or it in JOINERS for it in plain):
                self.wrong(name, "plain text", "characters that are not to be seen")
            if not (self.folder / f"{name}.md").read_text(encoding="utf-8").strip():
                self.wrong(name, "Markdown", "none")
            if "no display" in plain or "[object" in text or "Undefined" in plain:
                self.wrong(name, "plain text", plain[:100])

    def judge_validity(self, scratch):
        """Ask html-validate about all displays at once."""
        scratch.mkdir(exist_ok=True)
        settings = {"root": True, "extends": ["html-validate:standard"]}
        (scratch / ".htmlvalidate.json").write_text(json.dumps(settings))
        for name in self.names:
            whole = f"<!DOCTYPE html><html lang='en'><head><title>it</title></head><body>\n{self.html[name]}\n</body></html>\n"
            (scratch / f"{name}.html").write_text(whole.replace("'en'", '"en"'), encoding="utf-8")
        tool = self.tools / "node_modules/html-validate/bin/html-validate.mjs"
        command = ["node", str(tool), "--formatter", "json", *(f"{name}.html" for name in self.names)]
        with (scratch / "told.json").open("w") as told:  # a pipe would be cut at 64 KB
            subprocess.run(command, cwd=scratch, stdout=told, timeout=SECONDS * 2, check=False)
        for entry in json.loads((scratch / "told.json").read_text()):
            for it in entry["messages"]:
                style_in_place = it["ruleId"] == "element-permitted-content" and it["context"].get("child") == "<style>"
                if not style_in_place:
                    place = f"{it['line'] - 1}:{it['column']}"
                    self.wrong(Path(entry["filePath"]).stem, "valid", f"{place} {it['message']} [{it['ruleId']}]")


async def open_page(browser, scheme):
    """Return a page from which nothing leaves, and the list of what it tried."""
    context = await browser.new_context(color_scheme=scheme, viewport={"width": 900, "height": 700})
    heard = []

    async def refuse(route):
        heard.append(f"request {route.request.url[:80]}")
        await route.abort()

    async def dismiss(dialog):
        heard.append(f"dialog {dialog.type} {dialog.message[:40]}")
        await dialog.dismiss()

    await context.route(re.compile("^(?!data:|about:)"), refuse)
    await context.add_init_script(f"{SCRIPT}\nwatch();")
    page = await context.new_page()
    page.on("dialog", dismiss)
    page.on("pageerror", lambda it: heard.append(f"page error {str(it)[:80]}"))
    context.on("page", lambda _: heard.append("a window"))
    return page, heard


def judge_broken(folder, tools):
    """Prove that what is wrong is found: leaves with 1 where a display that breaks a rule passes."""
    folder.mkdir(exist_ok=True)
    html = {name: html for name, (html, _) in BROKEN.items()} | dict.fromkeys(BROKEN_TEXTS, display())
    for name, text in html.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
        (folder / f"{name}.txt").write_text(BROKEN_TEXTS.get(name, ["said"])[0], encoding="utf-8")
        (folder / f"{name}.md").write_text("said", encoding="utf-8")
    judge = Judge(folder, tools)
    judge.judge()
    for name, wanted in {name: it[1] for name, it in (BROKEN | BROKEN_TEXTS).items()}.items():
        if not any(wanted in fault for fault in judge.faults.get(name, [])):
            sys.exit(f"the judge lets {name!r} pass; found: {judge.faults.get(name)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--only", nargs="*", default=(), metavar="NAME", help="judge displays whose names begin so")
    arguments = parser.parse_args()
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    judge_broken(arguments.folder / "broken", arguments.tools)
    judge = Judge(arguments.folder, arguments.tools, arguments.pictures, arguments.only)
    judge.judge()
    for name in sorted(judge.faults):
        for fault, n in Counter(judge.faults[name]).items():
            sys.stdout.write(f"FAIL  {name}  {fault}{f' (x{n})' if n > 1 else ''}\n")
    seconds = time.perf_counter() - began
    judged = f"{len(judge.names)} displays in {len(HOSTS)} places, {len(list(judge.others()))} hostile pages"
    sys.stdout.write(f"{judged}: {len(judge.faults)} with failures, {seconds:.0f} s\n")
    sys.exit(1 if judge.faults or not judge.names else 0)


if __name__ == "__main__":
    main()
