import { hash } from 'node:crypto';

/** A strong ETag: the same for the same bytes, another for any others. */
export function entityTag(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
}
