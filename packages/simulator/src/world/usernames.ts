import { gamertag } from './gamertags.ts';
import { fraction, mix, pick } from './hash.ts';

const VERIFIED_SHARE = 0.12;

export interface User {
  username: string;
  gamertag: string;
  verified: boolean;
}

export function userOf(player: number): User {
  return {
    username: username(player),
    gamertag: gamertag(player),
    verified: fraction(mix(player, 0x7e51f1ed)) < VERIFIED_SHARE,
  };
}

const AWKWARD_USERNAMES: Readonly<Record<number, string>> = {
  0: 'constructor',
  1: 'toString',
  4: 'null',
  5: '0',
  6: '007',
  7: '__proto__',
};

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
const LONG_NICKNAMES = ['The.One.And.Only.Rambler', 'Sometimes-Often_Or Never'] as const;
const SEPARATORS = ['_', '.', '-', ' ', ''] as const;

const SEAMS = / |(?<=[a-z])(?=[A-Z\d])/g;

/**
 * 1 to 32 ASCII letters, digits, spaces and `. _ -`, unique regardless of case and runs of spaces. Half equal the
 * gamertag, most others derive from it.
 */
function username(player: number): string {
  const awkward = AWKWARD_USERNAMES[player];
  if (awkward !== undefined) return awkward;
  const seed = mix(player, 0x5e4a);
  const style = fraction(seed);
  if (style >= 0.875) return nickname(player, mix(seed, 1));
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
