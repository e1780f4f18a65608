"""Pages and the HTTP API: a Starlette application, separate from the game socket."""
