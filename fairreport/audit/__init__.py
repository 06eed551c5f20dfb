"""The audit: tests over one table, their results and the gate."""
