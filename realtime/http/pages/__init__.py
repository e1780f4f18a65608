"""HTTP: the pages of the web client and what is beside them."""
