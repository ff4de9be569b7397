"""The evidence of runs: run records in memory and as JSON, and where they come from (`sources.read_runs`)."""
