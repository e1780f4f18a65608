"""Television: channels that each show one game after another, chosen automatically."""
