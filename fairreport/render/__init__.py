"""Results drawn as HTML, text and figures."""
