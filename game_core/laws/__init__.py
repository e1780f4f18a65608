"""Games by the Laws as played over a board: a clock button, touch-move, illegal moves that can be made, claims.

A move is *made* when its piece is put down and *completed* when the clock is pressed. ``Setup.laws`` has the terms,
``Game.laws`` the state; both are None in all other games.
"""
