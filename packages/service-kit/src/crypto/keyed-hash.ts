import { createHmac } from 'node:crypto';

/**
 * HMAC-SHA256 in hexadecimal, of a name that must not be kept: it can't be read from the hash, nor found by trying names out
 * without the key.
 */
export function keyedHash(key: string, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('hex');
}
