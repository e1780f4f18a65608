"""HTTP: signing up, logging in, one's account, profiles, ratings, reports."""
