"""Exhibitions: one host, many boards, as a state machine without sockets, database or clock.

    command --decide--> events and effects --(stored)--> apply --> state --view--> messages

The games of the boards are ordinary games; here is only who plays at which board, where the host is, and what that
does to the clocks. See ARCHITECTURE.md.
"""
