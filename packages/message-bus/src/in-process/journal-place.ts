/** Where a `memory:` bus keeps its messages. */
export interface JournalPlace {
  /** The file, or `:memory:` when nothing outlives the process. */
  readonly path: string;
  readonly durable: boolean;
}

/** Reads `memory:` (in memory) or `memory:PATH` (a file). */
export function journalPlace(url: string): JournalPlace {
  const path = url.replace(/^memory:/, '');
  return path === '' || path === ':memory:' ? { path: ':memory:', durable: false } : { path, durable: true };
}
