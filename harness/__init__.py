"""Scripted clients that drive a server from outside, by its public interface: the demo and the chaos test."""
