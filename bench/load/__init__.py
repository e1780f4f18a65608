"""Scripted clients that put a measured load on a server."""
