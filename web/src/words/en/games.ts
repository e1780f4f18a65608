/** The games: what they and their variants are called, and how they are played. */

export const GAMES = {
  'family.chess': 'Chess',
  'family.draughts': 'Draughts',
  'family.chinese-checkers': 'Chinese checkers',

  'variant.standard': 'Standard chess',
  'variant.chess960': 'Chess960',
  'variant.antichess': 'Antichess',
  'variant.numbered': '{variant}, position {n}',
  'variant.international': 'International draughts',
  'variant.classic': 'Classic draughts',
  'variant.english': 'English draughts',
  'variant.italian': 'Italian draughts',
  'variant.russian': 'Russian draughts',
  'variant.brazilian': 'Brazilian draughts',
  'variant.turkish': 'Turkish draughts',
  'variant.frisian': 'Frisian draughts',
  'variant.losing-international': 'Losing international draughts',
  'variant.losing-classic': 'Losing classic draughts',
  'variant.losing-english': 'Losing English draughts',
  'variant.losing-italian': 'Losing Italian draughts',
  'variant.losing-russian': 'Losing Russian draughts',
  'variant.losing-brazilian': 'Losing Brazilian draughts',
  'variant.losing-turkish': 'Losing Turkish draughts',
  'variant.losing-frisian': 'Losing Frisian draughts',
  'variant.fifteen': 'Chinese checkers',
  'variant.ten': 'Chinese checkers (10)',

  'short.standard': 'Standard',
  'short.international': 'International',
  'short.classic': 'Classic',
  'short.english': 'English',
  'short.italian': 'Italian',
  'short.russian': 'Russian',
  'short.brazilian': 'Brazilian',
  'short.turkish': 'Turkish',
  'short.frisian': 'Frisian',
  'short.losing-international': 'Losing, international',
  'short.losing-classic': 'Losing, classic',
  'short.losing-english': 'Losing, English',
  'short.losing-italian': 'Losing, Italian',
  'short.losing-russian': 'Losing, Russian',
  'short.losing-brazilian': 'Losing, Brazilian',
  'short.losing-turkish': 'Losing, Turkish',
  'short.losing-frisian': 'Losing, Frisian',
  'short.fifteen': '15 pieces',
  'short.ten': '10 pieces',

  'games.game': 'Game',
  'games.losing': 'Losing: who has nothing left wins',
  'games.begins': '{side} begins.',

  'rules.online': 'Online',
  'rules.fide': 'FIDE',
  'rules.uscf': 'USCF',
  'rules.official': 'Official',
  'rules.fmjd': 'FMJD',
  'rules.hint.official': 'Endgames with three pieces against one king are drawn after 10 moves each.',
  'rules.hint.fmjd': 'Endgames with three pieces against one king are drawn after 16 moves each, instead of 10.',

  'how.title': 'How it is played',
  'how.standard': 'Checkmate the king. A position that comes up three times, or fifty moves without a capture or a pawn’s move, may be claimed as a draw.',
  'how.chess960':
    'Chess from one of 960 start positions: the pieces behind the pawns are shuffled, for both sides alike. After castling king and rook stand where they would in chess.',
  'how.antichess':
    'Lose all your pieces: the player who has none left, or no move, wins. If you can capture you must, with any piece you like. The king is a piece like all others: it is never in check, it can be captured, and a pawn may become one. Nobody castles.',
  'how.international':
    'Ten squares by ten, twenty men each. Men step forward, and take forward and back; kings go along whole diagonals. Taking is compulsory, and as many pieces as can be. A man becomes a king only where its move ends on the last row.',
  'how.classic':
    'Eight squares by eight, twelve men each. Men step and take forward only; kings go along whole diagonals. Taking is compulsory: as many pieces as can be, and of these ways one with the most kings. Becoming a king ends the move.',
  'how.english':
    'Eight squares by eight, twelve men each. Men step and take forward only; kings go one square, also backward. Taking is compulsory, in whichever way you choose, to its end. Becoming a king ends the move.',
  'how.italian':
    'Eight squares by eight, twelve men each. Men step and take forward only, and may not take a king; kings go one square, also backward. Taking is compulsory: as many pieces as can be, then with a king, then the most kings, then a king first.',
  'how.russian':
    'Eight squares by eight, twelve men each. Men step forward, and take forward and back; kings go along whole diagonals. Taking is compulsory, in whichever way you choose, to its end. A man that comes to the last row goes on taking as a king.',
  'how.brazilian':
    'International draughts on eight squares by eight, with twelve men each: taking is compulsory, and as many pieces as can be. A man becomes a king only where its move ends on the last row.',
  'how.turkish':
    'All squares of eight by eight are used, sixteen men each. Men go straight forward and sideways; kings along whole rows and files. Taking is compulsory, and as many pieces as can be; each comes off at once. One man against a king has lost.',
  'how.frisian':
    'Ten squares by ten, twenty men each. Men step forward; kings go along whole diagonals. Pieces take along rows and columns as well as diagonals, over every second square. You must take the highest value: a king counts almost as much as two men, and where values are equal a king takes before a man. A king may make three moves in a row without taking while its side has men; then another piece must move. Two kings against one are a draw after seven moves each, one against one after two.',
  'how.losing': 'Here who has no piece or no move left wins. Taking stays compulsory.',
  'how.draughts': 'Who has no piece or no move left loses. A position that comes up three times is a draw, but not in Frisian draughts.',
  'how.fifteen':
    'A star of 121 holes, fifteen pieces each. A piece goes one hole on, or hops over any single piece beside it, as often as it likes; nothing is taken. Who first has all his pieces in the point opposite and the row of five before it wins; holes there that the opponent keeps need not be filled.',
  'how.ten':
    'A star of 121 holes, ten pieces each. A piece goes one hole on, or hops over any single piece beside it, as often as it likes; nothing is taken. Who first has all his pieces in the point opposite wins; holes there that the opponent keeps need not be filled.',
} as const;
