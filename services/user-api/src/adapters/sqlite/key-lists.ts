import { slices } from '../../domain/slices.ts';

/** Lengths of lists: few, so that few statements are prepared. */
const LENGTHS = [1, 16, 256] as const;
const LONGEST = 256;

/** A part of a list of keys, as an SQL list and the values of its parameters. */
export interface KeyList {
  readonly sql: string;
  readonly values: readonly string[];
}

/** Keys in lists for `IN`, each key in one of them. */
export function keyLists(keys: Iterable<string>): KeyList[] {
  const distinct = [...new Set(keys)];
  return slices(distinct, LONGEST).map(keyList);
}

/** A list of one of the lengths: the last key is in it as often as it takes. */
function keyList(keys: readonly string[]): KeyList {
  const length = LENGTHS.find((candidate) => candidate >= keys.length) ?? LONGEST;
  const filling = new Array<string>(length - keys.length).fill(keys.at(-1) ?? '');
  return { sql: `(${new Array<string>(length).fill('?').join(', ')})`, values: [...keys, ...filling] };
}
