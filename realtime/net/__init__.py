"""From the TCP connection to a decoded message: uvicorn's protocols, the handshake, frames, and limits of one
socket."""
