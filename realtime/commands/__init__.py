"""The command ``zeitnot``, its subcommands, and their settings."""
