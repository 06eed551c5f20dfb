"""What README.md shows is what the package does: its Python runs, and each output that it quotes is printed so."""

from __future__ import annotations

import ast
import re
import shlex

import yaml

from fairreport.analyses.metrics import CATALOGUE
from fairreport.audit.readers.configuration import load_configuration
from fairreport.cli.main import make_parser
from fairreport.render.environment import packaged_names


def blocks(root, language, file="README.md"):
    text = (root / file).read_text(encoding="utf-8")
    found = re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)
    assert found
    return found


def quoted(comment):
    """Return what a comment quotes of the output: a literal, or words with figures; nothing where it only explains."""
    try:
        return repr(ast.literal_eval(comment))
    except (SyntaxError, ValueError):
        return comment if re.search(r"\d", comment) else ""


def shown(block):
    """Yield each expression of a block that a comment with an output follows, with that output."""
    lines = block.splitlines()
    for node in ast.parse(block).body:
        comment = lines[node.end_lineno - 1][node.end_col_offset :].strip()
        if isinstance(node, ast.Expr) and comment and (wanted := quoted(comment.removeprefix("# "))):
            yield node.lineno, wanted


def run(block):
    """Run a block as cells of one line each, and return what each expression shows, by line."""
    names, found = {}, {}
    for node in ast.parse(block).body:
        if isinstance(node, ast.Expr):
            code = compile(ast.Expression(node.value), "README.md", "eval")
            found[node.lineno] = repr(eval(code, names))
        else:
            exec(compile(ast.Module([node], []), "README.md", "exec"), names)
    return found


def test_every_output_it_quotes_is_printed_so(root, tmp_path, monkeypatch):
    (tmp_path / "assets").symlink_to(root / "assets")
    monkeypatch.chdir(tmp_path)
    counted = 0
    for block in blocks(root, "python"):
        printed = run(block.replace("packet.pdf", "packet.html"))  # a page takes less time, of the same numbers
        for line, wanted in shown(block):
            counted += 1
            assert wanted in printed[line]
    assert counted >= 5


def test_the_configurations_it_shows_are_read(root, tmp_path):
    found = [block for block in blocks(root, "yaml") if not yaml.safe_load(block).get("audit", {}).get("time")]
    assert len(found) == 2
    for i, block in enumerate(found):
        path = tmp_path / f"{i}.yaml"
        path.write_text(block, encoding="utf-8")
        assert load_configuration(path).stated.tests


def test_the_places_of_rows_that_the_docs_show_are_read(root, tmp_path, monkeypatch):
    monkeypatch.setenv("AUDIT_DB", "sqlite:///hr.db")
    test = {"outcome_disparity": {"protected_attribute_columns": ["g"], "outcome_column": "o", "favorable_values": [1]}}
    found = blocks(root, "yaml", "assets/docs/where-your-rows-live.md")
    for block in found:
        path = tmp_path / "audit.yaml"
        path.write_text(yaml.safe_dump(yaml.safe_load(block) | {"tests": [test]}), encoding="utf-8")
        data = load_configuration(path).stated.data
        assert (data.url, data.table, data.spark) in {
            ("$AUDIT_DB", "decisions", None),
            (None, None, "catalog.schema.decisions"),
        }


def test_it_names_every_metric(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    listed = re.search(r"\| `metric_parity` \| a metric: (.*?) \|", text)
    assert sorted(listed[1].split(", ")) == sorted(CATALOGUE)


def test_the_templates_it_names_can_be_replaced(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`(packet/[a-z_]+\.html)`", text)
    assert named
    assert set(named) <= set(packaged_names())


def commands(root):
    lines = [line for block in blocks(root, "console") for line in block.splitlines()]
    parts = [part for line in lines for part in line.split("#")[0].split("&&")]
    return [shlex.split(part.strip().removeprefix("$ ").split(" | ")[0]) for part in parts]


def test_every_command_it_shows_is_understood(root):
    found = [words[1:] for words in commands(root) if words[:1] == ["fairreport"]]
    assert len(found) > 15
    for words in found:
        make_parser().parse_args(words)  # leaves with 2 where it does not understand them
