import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Node takes many times as long to make a key of a text as to hash with it. A process has one key or two. */
const keys = new Map<string, KeyObject>();
const KEYS_MAX = 16;

/**
 * HMAC-SHA256 in hexadecimal, of a name that must not be kept: it can't be read from the hash, nor found by trying names out
 * without the key.
 */
export function keyedHash(key: string, text: string): string {
  return createHmac('sha256', keyOf(key)).update(text, 'utf8').digest('hex');
}

function keyOf(text: string): KeyObject {
  const known = keys.get(text);
  if (known !== undefined) return known;
  if (keys.size >= KEYS_MAX) keys.clear();
  const key = createSecretKey(text, 'utf8');
  keys.set(text, key);
  return key;
}
