"""What every request does: one table from its type to who may ask and what happens."""
