import type { Presence, UserRecord } from './user-record.ts';

/** Identity and presence of a user in one poll; replaced together. */
export interface IdentitySnapshot extends Pick<UserRecord, 'username' | 'gamertag' | 'verified'> {
  readonly presence: Presence;
}

/**
 * The later poll wins; on a tie the offline one, which reports the last sighting; else the greater JSON text, so order
 * doesn't matter.
 */
export function supersedes(one: IdentitySnapshot, other: IdentitySnapshot): boolean {
  if (one.presence.at !== other.presence.at) return one.presence.at > other.presence.at;
  if (one.presence.isOnline !== other.presence.isOnline) return other.presence.isOnline;
  return serialize(one) > serialize(other);
}

function serialize({ username, gamertag, verified, presence }: IdentitySnapshot): string {
  return JSON.stringify([username, gamertag, verified, presence.isOnline, presence.titleId, presence.game]);
}
