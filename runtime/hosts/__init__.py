"""Hosts: where the answers of host rules come from.

`connections` is the interface, `recorded` answers from a record, `live` from the machines of an `inventory`,
by way of `local` and `ssh`.
"""
