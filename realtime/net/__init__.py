"""From the TCP connection to a decoded message, and back: HTTP protocol, handshake, WebSocket frames, sending.

Rate limits are here too: of sockets, and, for other subpackages, of people and addresses.
"""
