"""Pages and the HTTP API: Starlette applications, separate from the game socket."""
