"""Identity, seeks, challenges, quick pairing, ratings, moderation and chat.

Pure models with thin stores. What the lobby needs of the server is declared as Protocols in ``ports.py``.
"""
