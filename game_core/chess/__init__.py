"""Chess: standard and Chess960. The library ``chess`` (python-chess) knows the rules; this package makes
values of its boards, adds what it does not know (dead positions) and avoids what it does slowly."""
