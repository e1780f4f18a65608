"""From the TCP connection to a decoded message: uvicorn's protocols, handshake, frames, limits of one socket."""
