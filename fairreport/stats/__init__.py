"""Statistics on counts and arrays."""
