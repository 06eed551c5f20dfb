"""From any table to small tallies of counts."""
