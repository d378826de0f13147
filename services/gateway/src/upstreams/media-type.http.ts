import type { IncomingHttpHeaders } from 'node:http';

export function hasMediaType(headers: IncomingHttpHeaders, mediaType: string | undefined): boolean {
  const label = headers['content-type'] ?? '';
  return mediaType === undefined ? /^application\/json\b/i.test(label) : label === mediaType;
}

export function hasWellFormedBody(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  mediaType: string | undefined,
): boolean {
  return hasMediaType(headers, mediaType) && (mediaType !== undefined || hasJsonBrackets(body));
}

/** Checks only the outer brackets, since parsing costs more than all other work on a response. */
function hasJsonBrackets(body: Buffer): boolean {
  const [first, last] = [body.at(0), body.at(-1)];
  return (first === 0x7b && last === 0x7d) || (first === 0x5b && last === 0x5d);
}
