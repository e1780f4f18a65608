"""The most common passwords of sufficient length. See ``lobby.accounts.passwords``."""

from __future__ import annotations

_WORDS = """
12345678 123456789 1234567890 0123456789 987654321 9876543210 87654321 11223344 112233445566 12341234 123123123
12344321 123321123 147258369 159753456 741852963 789456123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 q1w2e3r4 q1w2e3r4t5
qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwertz123 qwertzuiop azertyuiop asdfghjk asdfghjkl
zxcvbnm123 zaq12wsx asdf1234 asdfasdf abcd1234 abc12345 abcdefgh abcdefghi a1b2c3d4 aa123456 a1234567 a12345678
password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa55word mypassword passport
passwort passwort1 passwort123 motdepasse contraseña contrasena senha123 parola123 wachtwoord haslo123 hasło123
letmein1 letmein123 welcome1 welcome123 iloveyou iloveyou1 ichliebedich teamomucho jetaime1 sunshine sunshine1
princess princess1 football football1 baseball basketball superman superman1 batman123 starwars starwars1 pokemon1
trustno1 whatever whatever1 computer computer1 internet michelle jennifer jessica1 michael1 charlie1 samantha
dragon123 monkey123 shadow123 master123 hello123 hallo123 freedom1 secret123 changeme changeme1 default1 test1234
testtest administrator admin123 admin1234 root1234 user1234 guest123 login123 temp1234 nothing1 november december
summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 liverpool chelsea1 arsenal1 barcelona realmadrid
chess123 chess1234 chessmaster checkmate checkmate1 schach123 schachmatt schachspiel grandmaster echecs123 ajedrez1
kasparov fischer1972 magnus123 e4e5nf3nc6 queensgambit kingsgambit zeitnot1 zeitnot123
"""

COMMON = frozenset(_WORDS.split())
"""In lower case."""
