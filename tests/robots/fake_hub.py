"""A Hub engine that plays the move in the file it is given, whatever the position: ``fake_hub.py FILE``.

It writes what it was told beside that file. Started as engines are, with one more argument: ``hub``.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(file: Path) -> None:
    told = file.with_suffix(".told").open("a", encoding="utf-8")
    answers = {
        "hub": 'id name=Fake version=1 author="No One"\n'
        'param name=variant value=killer type=enum values="normal killer"\n'
        "param name=threads value=1 type=int\nwait",
        "init": "some information\nready",
        "go": 'info depth=7 score=-0.25 nodes=1234 pv="32-28 17-22"\n'
        f"done move={file.read_text().strip()} ponder=17-22",
    }
    for line in sys.stdin:
        told.write(line)
        told.flush()
        command = line.split()[0]
        if command == "quit":
            return
        if command in answers:
            sys.stdout.write(answers[command] + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
