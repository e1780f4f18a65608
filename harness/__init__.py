"""Scripted clients that drive a server from outside through its public interface: the demo and the chaos test.

The chaos test also reads the server's database, with ``realtime.postgres``, ``realtime.journal``, ``realtime.commands``
and ``realtime.protocol.wire_game``.
"""
