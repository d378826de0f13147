export interface JournalLocation {
  readonly path: string;
  readonly durable: boolean;
}

export function parseJournalUrl(url: string): JournalLocation {
  const path = url.replace(/^memory:/, '');
  return path === '' || path === ':memory:' ? { path: ':memory:', durable: false } : { path, durable: true };
}
