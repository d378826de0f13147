import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';

export interface OperationExample {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Shortened. */
  readonly answer: unknown;
  /** The same rows in other formats. */
  readonly rows?: { readonly csv: string; readonly ndjson: string };
}

export type Examples = ReadonlyMap<string, OperationExample>;

export const EXAMPLES_DIRECTORY = join(import.meta.dirname, 'examples');

export function readExamples(directory = EXAMPLES_DIRECTORY): Examples {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((name) => [
      parse(name).name,
      JSON.parse(readFileSync(join(directory, name), 'utf8')) as OperationExample,
    ]),
  );
}
