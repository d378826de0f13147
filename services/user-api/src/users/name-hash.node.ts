import { keyedHash, type Secret } from '@lobbystats/service-kit';
import type { NameHash } from './erased-users.ts';

/** HMAC-SHA256 in hexadecimal. The key must not change: with another one erased users are not recognised. */
export function keyedNameHash(key: Secret): NameHash {
  const hash = (text: string) => keyedHash(key.reveal(), text);
  return {
    user: (userKey) => hash(`user:${userKey}`),
    gamertag: (playerKey) => hash(`gamertag:${playerKey}`),
  };
}
