"""From the TCP connection to a decoded message: HTTP protocol, handshake, WebSocket frames, limits of one socket."""
