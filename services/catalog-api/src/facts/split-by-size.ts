export interface SizeLimit {
  readonly count: number;
  readonly characters: number;
}

/** Splits items into bundles that each fit a message; an oversized item is alone. */
export function splitBySize<Item>(items: readonly Item[], { count, characters }: SizeLimit): Item[][] {
  const full: Item[][] = [];
  let last: Item[] = [];
  let length = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (last.length === count || (last.length > 0 && length + size > characters)) {
      full.push(last);
      last = [];
      length = 0;
    }
    last.push(item);
    length += size;
  }
  return last.length === 0 ? full : [...full, last];
}
