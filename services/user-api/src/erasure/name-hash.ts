/**
 * Keyed one-way hashes of names: they recognise erased users without storing names, and can't be guessed without the
 * key.
 */
export interface NameHash {
  user(userKey: string): string;
  gamertag(playerKey: string): string;
}
