"""Connected users and data about them: presence, account changes, block lists, friends, play bans, result counts."""
