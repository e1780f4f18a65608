"""Connected users and data about them: presence, block lists, friends, play bans."""
