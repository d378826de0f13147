/** A suite and its environment have modules of their own, but the same globals. */
const noted: string[] = ((globalThis as Record<symbol, unknown>)[Symbol.for('lobbystats.failedRequests')] ??=
  []) as string[];

export function noteFailedRequest(text: string): void {
  noted.push(text);
}

/** Those since the last call. */
export function takeFailedRequests(): string[] {
  return noted.splice(0);
}
