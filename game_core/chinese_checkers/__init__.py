"""Chinese checkers for two on the star of 121 holes, with fifteen pieces a side or ten.

The rules as they are read here, the names of the holes and the form of positions: ``docs/chinese-checkers.md``.
"""
