"""Seeks: public offers to play."""
