import { gamertag } from './gamertags.ts';
import { fraction, mix, pick } from './hash.ts';

/** Legal names that trip over careless tables, by the number of the player who has them. */
const AWKWARD_USERNAMES: Readonly<Record<number, string>> = {
  0: 'constructor',
  1: 'toString',
  4: 'null',
  5: '0',
  6: '007',
  7: '__proto__',
};

/** None of them is, or begins with, a word of gamertags: names made of them are nobody's gamertag. */
const NICKNAMES = [
  'arcadia',
  'backyard',
  'bookworm',
  'couch.pilot',
  'daydream',
  'earlybird',
  'homebrew',
  'kettle',
  'lantern',
  'latecomer',
  'nightshift',
  'pocketwatch',
  'sofa-hero',
  'teabreak',
  'tinkerer',
  'walkabout',
] as const;
/** As long as leaves room for a separator and a number of seven digits. */
const LONG_NICKNAMES = ['The.One.And.Only.Rambler', 'Sometimes-Often_Or Never'] as const;
const SEPARATORS = ['_', '.', '-', ' ', ''] as const;

/** Between the words and the number of a gamertag, wherever they meet. */
const SEAMS = / |(?<=[a-z])(?=[A-Z\d])/g;

/**
 * The name of a player on the site: 1 to 32 ASCII letters, digits, spaces and `. _ -`. Half of them are the gamertag;
 * others are it in lower case, with other separators or with something around it; one in eight has nothing to do with
 * it. Two players never have one name, not even without regard to case and to how many spaces stand together: what is made
 * from the gamertag keeps its letters and digits, and what is not ends in the player's number.
 */
export function username(player: number): string {
  const awkward = AWKWARD_USERNAMES[player];
  if (awkward !== undefined) return awkward;
  const seed = mix(player, 0x5e4a);
  const style = fraction(seed);
  if (style >= 0.875) return nickname(player, mix(seed, 1));
  // No username has an `&`: whose gamertag has one needs another spelling.
  const tag = gamertag(player).replaceAll('&', ' and ');
  if (style < 0.5) return tag;
  if (style < 0.68) return tag.toLowerCase();
  if (style < 0.8) return tag.replace(SEAMS, pick(mix(seed, 2), ['_', '.', '-']));
  return style < 0.84 ? `xX ${tag} Xx` : `The ${tag}`;
}

function nickname(player: number, seed: number): string {
  const separator = pick(mix(seed, 1), SEPARATORS);
  if (fraction(mix(seed, 2)) < 0.04) return `${pick(mix(seed, 3), LONG_NICKNAMES)}${separator}${player}`;
  return `${pick(mix(seed, 3), NICKNAMES)}${separator}${player}`;
}
