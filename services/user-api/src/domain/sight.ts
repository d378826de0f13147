import type { Sight, UserRecord } from './user-record.ts';

/** A person as one look at the feed has them: how they are called comes and goes with how they were seen. */
export interface Likeness extends Pick<UserRecord, 'username' | 'gamertag' | 'verified'> {
  readonly sight: Sight;
}

/**
 * Whether one likeness is right and not another. The later is. Of two of one time it is who has left: when they were seen last
 * is told of them only then, and it is when they were still there. Else the one whose JSON text is greater, so that it
 * doesn't matter which comes first.
 */
export function outranks(one: Likeness, other: Likeness): boolean {
  if (one.sight.at !== other.sight.at) return one.sight.at > other.sight.at;
  if (one.sight.isOnline !== other.sight.isOnline) return other.sight.isOnline;
  return textOf(one) > textOf(other);
}

function textOf({ username, gamertag, verified, sight }: Likeness): string {
  return JSON.stringify([username, gamertag, verified, sight.isOnline, sight.titleId, sight.game]);
}
