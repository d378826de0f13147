/** `.` or `..`, also encoded: clients and proxies resolve these away as parts of a path. */
const DOTS = /^(?:\.|%(?:25)*2E){1,2}$/i;
const ENCODED_DOTS = /^(?:%(?:25)*2E){1,2}$/i;

/** Encodes any text as one segment of a path; a dot is encoded twice if it stands alone. */
export function encodeSegment(text: string): string {
  const wellFormed = text.toWellFormed();
  const encoded = encodeURIComponent(wellFormed);
  return DOTS.test(wellFormed) ? encodeURIComponent(encoded.replaceAll('.', '%2E')) : encoded;
}

/** Returns the text that {@link encodeSegment} encoded. @param segment percent-decoded once, as routers do */
export function decodeSegment(segment: string): string {
  return ENCODED_DOTS.test(segment) ? decodeURIComponent(segment) : segment;
}
