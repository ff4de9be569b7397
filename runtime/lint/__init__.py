"""Lint: what is wrong with rules that compile.

A finding is one small module of a family (`patterns`, `logic`, `evidence`, `hosts`, `conversion`): a generator
`check(scene)` with a line in the table of its family. Its page is `compiler/pages/CODE.md`.

    lint_files(candidates([Path("scenarios")]), LintOptions(), cache)       # many_files: from paths to reports
    told(report.files, settings, choice, today, included)                   # selection: what of them is shown

What a call needs that finds everything in the cache (`many_files`, `cache`, `stored`, `notes`, `selection`) loads
neither the parser of `.gate` files nor the models of rules.
"""
