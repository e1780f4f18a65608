"""Every way to write a chess move: each reader's letters, long algebraic, ICCF, announcements; and what is typed."""
