"""Pages and the HTTP API: Starlette apps beside the game socket, never in its way."""
