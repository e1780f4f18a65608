/** Games against robots. */

export const ROBOTS = {
  'robot.title': 'Play the computer',
  'robot.tile': 'Computer',
  'robot.tile.name': 'Computer, {about}: play the computer',
  'robot.level': 'Level',
  'robot.level.n': 'Level {n}',
  'robot.level.hint': '1 is the easiest, 8 the strongest. Games against the computer are casual.',
  'robot.play': 'Play',
  'robot.instead': 'Play computer',
  'robot.instead.name': 'Play computer instead: {tempo}',
  'robot.instead.short': 'Play {tempo} now',
  'robot.instead.news': 'No opponent yet. You can play the computer instead.',
  'robot.why.none': 'The computer isn’t available right now.',
  'robot.why.busy': 'The computer is busy. Try again in a moment.',
  'robot.why.game': 'The computer can’t play this game here: its engine isn’t installed.',
  'robot.why.variant': 'The computer doesn’t play this variant.',
  'robot.why.short.none': 'not available',
  'robot.why.short.busy': 'busy',
  'robot.why.short.game': 'no engine',
  'robot.why.short.variant': 'not this variant',
} as const;
