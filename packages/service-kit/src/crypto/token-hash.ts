import { hash } from 'node:crypto';

/** Identifies a random token of 256 bits without revealing it: SHA-256 in base64url. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}
