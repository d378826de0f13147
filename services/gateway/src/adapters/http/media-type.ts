import type { IncomingHttpHeaders } from 'node:http';

/** Whether an answer is labelled as what an operation answers with: its media type, else JSON. */
export function isOfType(headers: IncomingHttpHeaders, mediaType: string | undefined): boolean {
  const label = headers['content-type'] ?? '';
  return mediaType === undefined ? /^application\/json\b/i.test(label) : label === mediaType;
}

/** The same, and where it is JSON it looks like it. */
export function isWholeOfType(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  mediaType: string | undefined,
): boolean {
  return isOfType(headers, mediaType) && (mediaType !== undefined || hasJsonBrackets(body));
}

/** Told by its outer brackets: reading all of it would cost more than everything else that is done with it. */
function hasJsonBrackets(body: Buffer): boolean {
  const [first, last] = [body.at(0), body.at(-1)];
  return (first === 0x7b && last === 0x7d) || (first === 0x5b && last === 0x5d);
}
