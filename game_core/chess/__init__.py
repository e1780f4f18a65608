"""Chess and its variants. The library ``chess`` (python-chess) supplies the rules. This package turns its boards into
values, adds what it lacks (dead positions) and replaces what it does slowly."""
