"""The command ``zeitnot``, its subcommands, their settings, and the supervisor of worker processes."""
