/**
 * Keyed one-way hashes of names: they tell somebody who was forgotten, and keep no name. Whoever has the hashes but not the
 * key can't try names out.
 */
export interface NameHash {
  /** @param userKey `usernameKey` of a username */
  user(userKey: string): string;
  /** @param playerKey `nameKey` of a gamertag */
  gamertag(playerKey: string): string;
}
