export interface JournalPlace {
  readonly path: string;
  readonly durable: boolean;
}

export function journalPlace(url: string): JournalPlace {
  const path = url.replace(/^memory:/, '');
  return path === '' || path === ':memory:' ? { path: ':memory:', durable: false } : { path, durable: true };
}
