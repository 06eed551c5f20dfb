"""Readers of configuration files."""
