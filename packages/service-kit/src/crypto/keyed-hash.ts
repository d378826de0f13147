import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

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
