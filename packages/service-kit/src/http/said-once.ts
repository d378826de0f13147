/**
 * A header that is there exactly once, from the list as it came in: making Node's object of all headers costs more.
 *
 * @param wanted in lower case
 */
export function saidOnce(rawHeaders: readonly string[], wanted: string): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[i + 1];
  }
  return found;
}
