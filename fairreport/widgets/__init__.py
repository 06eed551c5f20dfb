"""Interactive widgets."""
