/** How long something takes, in milliseconds. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The shortest of so many tries: what else the machine does meanwhile counts little. */
export async function bestOf(tries: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt += 1) best = Math.min(best, await millisecondsOf(work));
  return best;
}

/** @param part 0.5 for the middle one, 0.99 for what a hundredth is beyond */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
