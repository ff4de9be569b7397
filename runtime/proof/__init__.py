"""Proof: whether rules can tell a good run from a bad one, shown on runs that are made up and really graded.

    honest_run(rules, matcher)          # HonestRun(record, …): the shortest run that does what the rules ask
    probe(rules, matcher)               # idle, talker, echoer, vandals and the honest run, with their verdicts

`asked` and `texts` read what patterns look for and make texts of it; `layout`, `answers` and `build` put a run
together; `honest` and `impostors` know what each run is; `probe` grades them all. A run is only ever a proposal: what
it comes to is what `runtime.grade` says.
"""
