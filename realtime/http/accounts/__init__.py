"""HTTP: signup, login, accounts, profiles, ratings, reports."""
