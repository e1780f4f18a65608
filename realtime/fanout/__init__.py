"""Sending to sockets: sessions, topics, subscriptions, and delivery to many spectators in slices.

A session is one socket's subscriptions and waiting requests. It also sends their answers.
"""
