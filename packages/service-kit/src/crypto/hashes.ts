import { createHmac, createSecretKey, type KeyObject, hash } from 'node:crypto';

/** Cached: creating a key object takes many times as long as hashing. A process has one or two keys. */
const keys = new Map<string, KeyObject>();
const KEYS_MAX = 16;

/** HMAC-SHA256 in hexadecimal. Without the key, names can't be found by hashing candidates. */
export function keyedHash(key: string, text: string): string {
  return createHmac('sha256', keyOf(key)).update(text, 'utf8').digest('hex');
}

function keyOf(text: string): KeyObject {
  const cached = keys.get(text);
  if (cached !== undefined) return cached;
  if (keys.size >= KEYS_MAX) keys.clear();
  const key = createSecretKey(text, 'utf8');
  keys.set(text, key);
  return key;
}

/** Identifies a random token of 256 bits without revealing it: SHA-256 in base64url. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}
