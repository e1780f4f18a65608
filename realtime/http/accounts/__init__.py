"""HTTP: signup, login, password reset, accounts, preferences, profiles, blocks, ratings, reports."""
