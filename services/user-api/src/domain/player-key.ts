import { nameKey } from '@lobbystats/contracts';

/** The longest gamertag that the feed gives. What a board or a match calls by a longer name is nobody whom it knows. */
const GAMERTAG_MAX = 64;

/** The key of the player whom a gamertag names; undefined where it names nobody. */
export function playerKey(gamertag: string): string | undefined {
  if (gamertag.length > GAMERTAG_MAX) return undefined;
  const key = nameKey(gamertag.toWellFormed());
  return key === '' ? undefined : key;
}
