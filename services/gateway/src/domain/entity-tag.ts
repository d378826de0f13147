/** Whether an `If-None-Match` names this tag (weak comparison, RFC 9110 section 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Most name just the one that they were given.
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}

/** What of a tag that somebody else has given can be handed on: a strong one of a plain form. */
export function strongTag(given: string | undefined): string | undefined {
  return given !== undefined && STRONG.test(given) ? given : undefined;
}

/** The tag of the same bytes in another form: the same bytes make the same ones of it. */
export function tagOfForm(tag: string, form: string): string {
  return tag.replace(/"$/, `-${form}"`);
}

const STRONG = /^"[\x21\x23-\x7e]{1,64}"$/;
