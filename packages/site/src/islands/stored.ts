/** Values in the browser's storage, which may be denied, full, or written by anybody. */

/** Undefined: there is none, or it is no JSON. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns false if the browser stores nothing for this site, or no more */
export function store(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Where a stored link may lead: to this site alone. */
export function isSitePath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then nothing is stored.
  }
}
