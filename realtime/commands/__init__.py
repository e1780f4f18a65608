"""The command ``zeitnot`` and its subcommands, and the settings that they read."""
