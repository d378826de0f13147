import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface OperationExample {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Shortened. */
  readonly answer: unknown;
  /** The same rows in other formats. */
  readonly rows?: { readonly csv: string; readonly ndjson: string };
}

/** Each operation ID has its example; the IDs are sorted. */
export type Examples = ReadonlyMap<string, OperationExample>;

export const EXAMPLES_FILE = join(import.meta.dirname, 'examples.json');

export function readExamples(): Examples {
  return new Map(Object.entries(JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Record<string, OperationExample>));
}
