"""No string of the user's reads a file or reaches a network: a loopback server counts, and an audit hook listens."""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

PROGRAM = """
import json, sys
import fairreport as fr

place, port = sys.argv[1:3]
strings = json.loads(open(f"{place}/strings.json", encoding="utf-8").read())
columns = {"group": [], strings[0]: [], "out": []}
for position, name in enumerate(strings[:6]):
    columns["group"] += [name] * 60
    columns[strings[0]] += [name] * 60
    columns["out"] += [1] * (20 + position) + [0] * (40 - position)
about = {name: strings[i] for i, name in enumerate(("system", "decision", "period", "prepared_by", "prepared_for"))}
audit = fr.Audit(columns, title=strings[1], about={**about, "notes": strings})
audit.outcome_disparity(
    "group", "out", 1, name=strings[2], description=strings[3], rationale=strings[4], threshold_source=strings[5]
)
audit.outcome_disparity(strings[0], "out", 1, name=strings[0])
run = audit.run()
fr.Report(run).pdf()  # what is imported and read once is read now

events = []
def listen(name, arguments):
    if name == "open" or name.startswith(("socket.", "urllib.", "subprocess.", "os.exec", "os.system", "ftplib", "http.")):
        events.append([name, str(arguments[0])])
sys.addaudithook(listen)
before = len(events)
for text in strings:
    footer = text[:80]
    report = fr.Report(run, footer=footer, about={**about, "notes": [text], "system": text}, previous=run)
    html, pdf = report.html(), report.pdf()
    assert b"TOP-SECRET-OF-THIS-MACHINE" not in pdf and "TOP-SECRET-OF-THIS-MACHINE" not in html
    for colors in ({"accent": text}, {text: "#000000"}):
        try:
            fr.Report(run, colors=colors)
        except fr.ConfigError:
            continue
        raise SystemExit(f"colours {colors} were taken")
print(json.dumps(events))
"""


@pytest.fixture
def server():
    asked = []

    class Counter(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_HEAD = do_POST = do_OPTIONS = do_GET

        def log_message(self, *_):
            pass

    found = HTTPServer(("127.0.0.1", 0), Counter)
    thread = threading.Thread(target=found.serve_forever)
    thread.start()
    yield found.server_port, asked
    found.shutdown()
    thread.join()
    found.server_close()


@pytest.mark.heavy
def test_no_string_of_the_users_reads_or_fetches(server, tmp_path):
    port, asked = server
    secret = tmp_path / "secret.txt"
    secret.write_text("TOP-SECRET-OF-THIS-MACHINE", "utf-8")
    here, there = secret.as_uri(), f"http://127.0.0.1:{port}"
    strings = [
        f"<img src={here}>",
        f'"><img src="{there}/a.png"><link rel=stylesheet href="{there}/a.css">',
        f"</style><style>@import '{there}/b.css'; @import url({here});",
        f"url({there}/c) \\75rl({here}) \"); background: url('{there}/d",
        f"</p><object data='{here}'></object><iframe src='{there}/e'></iframe><svg><image href='{there}/f'/></svg>",
        f"{{% include '{secret}' %}}{{{{ style('../../../../../../../../{secret}') }}}}",
        f"<link rel=attachment href='{here}'><a rel=attachment href='{there}/g'>x</a>",
        f"data:text/html,<img src='{there}/h'>",
        f"\\22 ; }} @page {{ background: url({there}/i) }} /* {here} */",
    ]
    (tmp_path / "strings.json").write_text(json.dumps(strings), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), str(port)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    events = json.loads(done.stdout)
    assert events  # fonts of the package are opened, so that the hook is known to listen
    assert not [event for event in events if event[0] != "open"]
    assert not [path for _, path in events if "secret" in path or str(tmp_path) in path]
    assert asked == []
