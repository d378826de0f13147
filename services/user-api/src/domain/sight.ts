import type { Sight, UserRecord } from './user-record.ts';

/** Identity and presence of a user in one poll; replaced together. */
export interface Likeness extends Pick<UserRecord, 'username' | 'gamertag' | 'verified'> {
  readonly sight: Sight;
}

/**
 * The later poll wins; on a tie the offline one, which reports the last sighting; else the greater JSON text, so order
 * doesn't matter.
 */
export function outranks(one: Likeness, other: Likeness): boolean {
  if (one.sight.at !== other.sight.at) return one.sight.at > other.sight.at;
  if (one.sight.isOnline !== other.sight.isOnline) return other.sight.isOnline;
  return textOf(one) > textOf(other);
}

function textOf({ username, gamertag, verified, sight }: Likeness): string {
  return JSON.stringify([username, gamertag, verified, sight.isOnline, sight.titleId, sight.game]);
}
