"""Which game everybody is shown: channels, each of which goes from one game to the next by itself."""
