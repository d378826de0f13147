import { randomHex } from '../context/random-hex.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Of this process: drawn once, because a random ID for each request costs more than all else of a cached answer's head. */
const OURS = [8, 4, 4, 4].map(randomHex).join('-');

let given = 0;

/** The ID that a caller gave a request, where it is well-formed, else a new one. */
export function requestIdOf(said: unknown): string {
  if (typeof said === 'string' && REQUEST_ID.test(said)) return said;
  given += 1;
  return `${OURS}-${given.toString(16).padStart(12, '0')}`;
}
