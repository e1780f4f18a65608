"""HTTP: checks and limits before the handler of a request.

Those of ``concurrency_limit`` and ``permissions`` are per route, all others apply to every request.
"""
