"""`python -m gatewright.runtime`: the same as the command."""

from .cli import main

main()
