"""Parameters and tallies in, results out."""
