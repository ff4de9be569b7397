r"""The languages of patterns: all strings in which a pattern finds a match, compared with each other.

    includes(parse("reboot"), parse(r"\breboot\b"))     # Proved(): whatever the second matches, the first does
    includes(parse(r"\breboot\b"), parse("reboot"))     # Refuted("rebooty"): matched by the second alone

Decided on automata over UTF-16 code units, never by comparing texts.
"""
