export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Fast path: most clients send exactly one tag.
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}

/** A strong tag of a plain form, or undefined. */
export function strongTag(tag: string | undefined): string | undefined {
  return tag !== undefined && STRONG.test(tag) ? tag : undefined;
}

/** The tag of the same content in another format. */
export function variantTag(tag: string, form: string): string {
  return tag.replace(/"$/, `-${form}"`);
}

const STRONG = /^"[\x21\x23-\x7e]{1,64}"$/;
