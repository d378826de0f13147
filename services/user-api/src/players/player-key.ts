import { nameKey } from '@lobbystats/contracts';

/** Longer names can't be gamertags. */
const GAMERTAG_MAX = 64;

export function playerKey(gamertag: string): string | undefined {
  if (gamertag.length > GAMERTAG_MAX) return undefined;
  const key = nameKey(gamertag.toWellFormed());
  return key === '' ? undefined : key;
}
