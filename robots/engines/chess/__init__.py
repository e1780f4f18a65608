"""Chess by an external engine that speaks UCI: finding one, and asking it."""
