"""Chinese checkers for two on the star of 121 holes, with fifteen pieces a side or ten.

``docs/chinese-checkers.md`` has the rules, the names of the holes and the form of positions.
"""
