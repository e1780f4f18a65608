"""Scripted clients that drive a server from outside through its public interface: the demo and the chaos test."""
