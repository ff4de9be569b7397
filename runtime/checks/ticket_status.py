"""`ticket_status`: the ticket has a status, compared without regard to case (classic page)."""

from __future__ import annotations

from ...compiler.ir import TicketStatus
from ..result import Outcome, no_evidence, passed_if
from .gathered import Gathered
from .target_values import NO_TICKET, UNAVAILABLE


def evaluate(check: TicketStatus, _rule: int, gathered: Gathered) -> Outcome:
    """Without a ticket the rule fails under flat semantics; classic ones have skipped it before they come
    here."""
    ticket = gathered.record.ticket
    if ticket is None:
        return no_evidence(NO_TICKET)
    if ticket.status is None:
        return no_evidence(f"{UNAVAILABLE}: ticket status")
    said = f"the ticket is {ticket.status} (the rule names {check.status})"
    return passed_if(ticket.status.casefold() == check.status.casefold(), said)
