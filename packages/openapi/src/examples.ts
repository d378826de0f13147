import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';

/** A request and what a running system answered it with; long lists in the answer are shortened. */
export interface AnsweredRequest {
  /** Of the path, by name, as they are before encoding. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** What was posted. */
  readonly body?: unknown;
  /** The body of the answer: JSON, or text. */
  readonly answer: unknown;
  /** The same rows in other formats. */
  readonly rows?: { readonly csv: string; readonly ndjson: string };
}

/** By operation. */
export type Examples = ReadonlyMap<string, AnsweredRequest>;

/** Where a capture writes them, a file an operation. */
export const EXAMPLES_DIRECTORY = join(import.meta.dirname, 'examples');

/** The examples of the release. */
export function readExamples(directory = EXAMPLES_DIRECTORY): Examples {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((name) => [parse(name).name, JSON.parse(readFileSync(join(directory, name), 'utf8')) as AnsweredRequest]),
  );
}
