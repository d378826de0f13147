/** How much one fact may tell of: one that no bus carries would hold up all behind it. */
export interface BundleSize {
  readonly count: number;
  /** Of the JSON text. Texts that are very long make more bundles. */
  readonly characters: number;
}

/** Items in their order, in bundles that each fit into a fact; one that is too large by itself is alone. */
export function bundles<Item>(items: readonly Item[], { count, characters }: BundleSize): Item[][] {
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
