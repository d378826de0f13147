import { timingSafeEqual } from 'node:crypto';
import { keyedHash, type Secret } from '@lobbystats/service-kit';
import type { ErasureConfirmation, NameHash } from './erased-users.ts';

/** HMAC-SHA256 in hexadecimal. The key must not change: with another one erased users are not recognised. */
export function keyedNameHash(key: Secret): NameHash {
  const hash = (text: string) => keyedHash(key.reveal(), text);
  return {
    user: (userKey) => hash(`user:${userKey}`),
    gamertag: (playerKey) => hash(`gamertag:${playerKey}`),
  };
}

/** An expiry time with its HMAC-SHA256: valid in every replica, and stored nowhere. */
export function keyedErasureConfirmation(key: Secret): ErasureConfirmation {
  const create = (userKey: string, expiresAt: number) =>
    `${expiresAt}.${keyedHash(key.reveal(), `erase:${expiresAt}:${userKey}`)}`;
  return {
    create,
    isValid: (userKey, confirmation, now) => {
      const expiresAt = Number(/^(\d{1,12})\.[0-9a-f]{64}$/.exec(confirmation)?.[1]);
      if (!(expiresAt > now)) return false;
      const expected = Buffer.from(create(userKey, expiresAt));
      const given = Buffer.from(confirmation);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
