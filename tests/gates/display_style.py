"""Does a style sheet stay with what it was made for? Every selector begins with one class; nothing is loaded."""

import tinycss2

KNOWN = {"media", "supports", "container"}
LOADING = {"url", "src", "image-set", "image", "element"}


def strays(text, prefix="fr"):
    """Return what in a style sheet reaches beyond elements of a class prefix, or loads anything."""
    return list(_strays(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), prefix))


def _strays(rules, prefix):
    for rule in rules:
        if rule.type == "at-rule" and rule.lower_at_keyword in KNOWN and rule.content is not None:
            yield from _strays(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), prefix)
        elif rule.type != "qualified-rule":
            yield f"a {rule.type}: {rule.serialize()[:60]}"
        else:
            yield from (f"selector {one!r}" for one in _selectors(rule.prelude) if not _is_ours(one, prefix))
            yield from (f"{name}() in a rule" for name in _functions(rule.content) if name in LOADING)
            if "!important" in tinycss2.serialize(rule.content).replace(" ", ""):
                yield f"!important in {tinycss2.serialize(rule.prelude).strip()!r}"


def _selectors(tokens):
    """Yield the selectors of a rule, without what stands in brackets."""
    one = ""
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            yield one.strip()
            one = ""
        elif token.type not in {"[] block", "() block", "function", "comment"}:
            one += token.serialize()
    yield one.strip()


def _is_ours(selector, prefix):
    first = selector.split(" ")[0].split(">")[0]
    begins = first == f".{prefix}" or first.startswith((f".{prefix}-", f".{prefix}."))
    return (
        begins and not any(mark in selector for mark in "*+~") and ":root" not in selector and ":host" not in selector
    )


def _functions(tokens):
    for token in tokens:
        if token.type == "url":
            yield "url"
        elif token.type == "function":
            yield token.lower_name
            yield from _functions(token.arguments)
        elif token.type.endswith("block"):
            yield from _functions(token.content)
