import { chunk } from '@lobbystats/concurrency';

const LENGTHS = [1, 16, 256] as const;
const MAX_LENGTH = 256;

export interface KeyList {
  readonly sql: string;
  readonly values: readonly string[];
}

export function keyLists(keys: Iterable<string>): KeyList[] {
  const distinct = [...new Set(keys)];
  return chunk(distinct, MAX_LENGTH).map(keyList);
}

/** Pads a list to one of the lengths by repeating the last key. */
function keyList(keys: readonly string[]): KeyList {
  const length = LENGTHS.find((candidate) => candidate >= keys.length) ?? MAX_LENGTH;
  const filling = new Array<string>(length - keys.length).fill(keys.at(-1) ?? '');
  return { sql: `(${new Array<string>(length).fill('?').join(', ')})`, values: [...keys, ...filling] };
}
