import Negotiator from 'negotiator';
import type { ContentCoding } from './content-coding.ts';

/** In order of preference among equal weights. */
export const contentCodings: ContentCoding[] = ['br', 'gzip', 'identity'];
/** Longer than any header of browsers and libraries: not parsed. */
const HEADER_LENGTH_MAX = 500;

/**
 * The content coding that a client prefers, RFC 9110 section 12.5.3. A client that accepts none gets `identity`.
 *
 * @param accepted the header `Accept-Encoding`; undefined if absent
 */
export function preferredEncoding(accepted: string | undefined): ContentCoding {
  if (accepted === undefined || accepted.length > HEADER_LENGTH_MAX) return 'identity';
  // `x-gzip` is an alias of gzip, RFC 9110 section 8.4.1.3.
  const headers = { 'accept-encoding': accepted.replace(/\bx-gzip\b/gi, 'gzip') };
  const negotiator: EncodingNegotiator = new Negotiator({ headers });
  const [preferred = 'identity'] = negotiator.encodings(contentCodings, { preferred: contentCodings });
  return preferred as ContentCoding;
}

interface EncodingNegotiator {
  encodings(available: string[], options: { preferred: readonly string[] }): string[];
}
