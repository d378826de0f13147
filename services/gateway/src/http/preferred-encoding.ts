import Negotiator from 'negotiator';
import type { Encoding } from '../domain/cache/encoding.ts';

/** Among encodings of equal weight the first is preferred. */
export const encodings: Encoding[] = ['br', 'gzip', 'identity'];
/** Longer than what browsers and libraries send: parsing it is not worth its time. */
const HEADER_LENGTH_MAX = 500;

/**
 * The encoding that a caller prefers, RFC 9110 section 12.5.3. A caller who accepts none gets `identity`.
 *
 * @param accepted `Accept-Encoding`; undefined where there is none
 */
export function preferredEncoding(accepted: string | undefined): Encoding {
  if (accepted === undefined || accepted.length > HEADER_LENGTH_MAX) return 'identity';
  // The old name of gzip, RFC 9110 section 8.4.1.3.
  const headers = { 'accept-encoding': accepted.replace(/\bx-gzip\b/gi, 'gzip') };
  const negotiator: EncodingNegotiator = new Negotiator({ headers });
  const [preferred = 'identity'] = negotiator.encodings(encodings, { preferred: encodings });
  return preferred as Encoding;
}

interface EncodingNegotiator {
  encodings(available: string[], options: { preferred: readonly string[] }): string[];
}
