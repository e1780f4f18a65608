"""Matches between players that need no clock: levels of the robots, and engines of known strength.

No move has a limit on its time, and an engine is never asked twice: the same match has the same games on a busy
machine. An engine that dies or is not there ends the match with ``EngineFailed``.
"""
