"""fairreport."""
