/** Written by `python -m codegen.notation_tables` from the core's tables. Not by hand. */

/** King, queen, rook, bishop, knight, pawn: the letters of each language. */
export const PIECE_LETTERS = {
  "cs": ["K", "D", "V", "S", "J", "P"],
  "da": ["K", "D", "T", "L", "S", "B"],
  "de": ["K", "D", "T", "L", "S", "B"],
  "en": ["K", "Q", "R", "B", "N", "P"],
  "es": ["R", "D", "T", "A", "C", "P"],
  "et": ["K", "L", "V", "O", "R", "P"],
  "fi": ["K", "D", "T", "L", "R", "P"],
  "fr": ["R", "D", "T", "F", "C", "P"],
  "hu": ["K", "V", "B", "F", "H", "G"],
  "is": ["K", "D", "H", "B", "R", "P"],
  "it": ["R", "D", "T", "A", "C", "P"],
  "nl": ["K", "D", "T", "L", "P", "O"],
  "no": ["K", "D", "T", "L", "S", "B"],
  "pl": ["K", "H", "W", "G", "S", "P"],
  "pt": ["R", "D", "T", "B", "C", "P"],
  "ro": ["R", "D", "T", "N", "C", "P"],
  "sv": ["K", "D", "T", "L", "S", "B"],
  "bg": ["Ц", "Д", "Т", "О", "К", "П"],
  "ca": ["R", "D", "T", "A", "C", "P"],
  "el": ["Ρ", "Β", "Π", "Α", "Ι", "Σ"],
  "hr": ["K", "D", "T", "L", "S", "P"],
  "lt": ["K", "V", "B", "R", "Ž", "P"],
  "lv": ["K", "D", "T", "L", "Z", "B"],
  "ru": ["Кр", "Ф", "Л", "С", "К", "П"],
  "sk": ["K", "D", "V", "S", "J", "P"],
  "sl": ["K", "D", "T", "L", "S", "P"],
  "tr": ["Ş", "V", "K", "F", "A", "P"],
  "uk": ["Кр", "Ф", "Т", "С", "К", "П"],
  "figurine": ["♔", "♕", "♖", "♗", "♘", "♙"],
} as const;

export type Letters = keyof typeof PIECE_LETTERS;

/** Names of the files in announcements. */
export const FILE_NAMES = {
  "a": "Anna",
  "b": "Bella",
  "c": "Cesar",
  "d": "David",
  "e": "Eva",
  "f": "Felix",
  "g": "Gustav",
  "h": "Hector",
} as const;

/** Other words of announcements, by language. */
export const ANNOUNCED = {
  "de": {
    "sides": {
      "w": "Weiß",
      "b": "Schwarz",
    },
    "pieces": {
      "k": "König",
      "q": "Dame",
      "r": "Turm",
      "b": "Läufer",
      "n": "Springer",
      "p": "Bauer",
    },
    "ranks": {
      "1": "eins",
      "2": "zwei",
      "3": "drei",
      "4": "vier",
      "5": "fünf",
      "6": "sechs",
      "7": "sieben",
      "8": "acht",
    },
    "castling": {
      "O-O": "kurze Rochade",
      "O-O-O": "lange Rochade",
    },
    "takes": "schlägt",
    "marks": {
      "": "",
      "+": ", Schach",
      "#": ", Schachmatt",
    },
  },
  "en": {
    "sides": {
      "w": "White",
      "b": "Black",
    },
    "pieces": {
      "k": "king",
      "q": "queen",
      "r": "rook",
      "b": "bishop",
      "n": "knight",
      "p": "pawn",
    },
    "ranks": {
      "1": "one",
      "2": "two",
      "3": "three",
      "4": "four",
      "5": "five",
      "6": "six",
      "7": "seven",
      "8": "eight",
    },
    "castling": {
      "O-O": "short castling",
      "O-O-O": "long castling",
    },
    "takes": "takes",
    "marks": {
      "": "",
      "+": ", check",
      "#": ", checkmate",
    },
  },
} as const;

export type Announced = keyof typeof ANNOUNCED;

/** Spoken words and their symbols. */
export const SPOKEN = {
  "anna": "a",
  "bella": "b",
  "cesar": "c",
  "david": "d",
  "eva": "e",
  "felix": "f",
  "gustav": "g",
  "hector": "h",
  "eins": "1",
  "zwei": "2",
  "drei": "3",
  "vier": "4",
  "fuenf": "5",
  "sechs": "6",
  "sieben": "7",
  "acht": "8",
  "one": "1",
  "two": "2",
  "three": "3",
  "four": "4",
  "five": "5",
  "six": "6",
  "seven": "7",
  "eight": "8",
  "koenig": "K",
  "dame": "Q",
  "turm": "R",
  "laeufer": "B",
  "springer": "N",
  "bauer": "P",
  "king": "K",
  "queen": "Q",
  "rook": "R",
  "bishop": "B",
  "knight": "N",
  "pawn": "P",
  "takes": "x",
  "captures": "x",
  "schlaegt": "x",
  "nimmt": "x",
  "from": "",
  "to": "",
  "on": "",
  "promotes": "",
  "becomes": "",
  "en": "",
  "passant": "",
  "check": "",
  "checkmate": "",
  "mate": "",
  "von": "",
  "nach": "",
  "auf": "",
  "wird": "",
  "zur": "",
  "zum": "",
  "schach": "",
  "schachmatt": "",
  "matt": "",
  "kurze": "s",
  "kleine": "s",
  "short": "s",
  "kingside": "s",
  "lange": "l",
  "grosse": "l",
  "long": "l",
  "queenside": "l",
  "rochade": "o",
  "castling": "o",
  "castle": "o",
  "castles": "o",
  "laufer": "B",
  "konig": "K",
  "funf": "5",
  "schlagt": "x",
} as const;

/** Castling by spoken symbol. */
export const SPOKEN_CASTLING = {
  "so": "O-O",
  "os": "O-O",
  "lo": "O-O-O",
  "ol": "O-O-O",
} as const;

/** Replacements applied after lower-casing. */
export const WRITTEN_OUT = {
  "ä": "ae",
  "ö": "oe",
  "ü": "ue",
  "ß": "ss",
} as const;

/** Maximum text length. */
export const MOST_SIGNS = 120;

/** Maximum number of words. */
export const MOST_WORDS = 16;
