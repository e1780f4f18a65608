"""The robots of the server: their reserved accounts, and which process plays for them."""
