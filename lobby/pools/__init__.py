"""Quick pairing: people wait in pools and are paired in waves."""
