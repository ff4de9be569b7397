"""`test` blocks run: synthetic runs graded, rules changed to see which tests notice, and what the tests leave open."""
