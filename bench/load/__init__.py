"""Scripted clients that generate load."""
