"""HTTP: the pages of the web client, its static files, oEmbed, and the data of challenge links."""
