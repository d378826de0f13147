/** Duration of the work in milliseconds. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The shortest duration of several tries, to exclude other load on the machine. */
export async function fastestOf(tries: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt += 1) best = Math.min(best, await millisecondsOf(work));
  return best;
}

/** @param part 0.5 for the median, 0.99 for the 99th percentile */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
