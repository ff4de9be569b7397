"""Ansible: its inventories read for host rules, its playbooks run as checks.

`inventory_file` is the way in for the one, `playbooks` for the other.
"""
