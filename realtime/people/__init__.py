"""Who is connected, and what is known of people: presence, block lists, friends, play bans."""
