import { fraction, hashText, mix, pick } from '../world/hash.ts';

const FIRST = ['quiet', 'brass', 'paper', 'north', 'velvet', 'copper', 'spare', 'lunar'] as const;
const SECOND = ['teapot', 'ladder', 'harbor', 'pixel', 'rocket', 'meadow', 'anchor', 'comet'] as const;
const AVATARLESS_SHARE = 0.2;
const NAMELESS_SHARE = 0.25;

interface DiscordUser {
  id: string;
  username: string;
  global_name: string | null;
  avatar: string | null;
}

/** IDs that end in 404 are unknown. */
export function discordUser(id: string): DiscordUser | undefined {
  if (id.endsWith('404')) return undefined;
  const hash = hashText(id);
  const [first, second] = [pick(mix(hash, 1), FIRST), pick(mix(hash, 2), SECOND)];
  const isNameless = fraction(mix(hash, 3)) < NAMELESS_SHARE;
  return {
    id,
    username: `${first}_${second}.${hash % 10_000}`,
    global_name: isNameless ? null : `${first} ${second}`,
    avatar: fraction(mix(hash, 4)) < AVATARLESS_SHARE ? null : hexadecimal(hash),
  };
}

function hexadecimal(hash: number): string {
  return [5, 6, 7, 8].map((word) => mix(hash, word).toString(16).padStart(8, '0')).join('');
}
