/** A measurement and its reference from the same run. */
export interface Finding {
  what: string;
  /** With its unit. */
  measured: string;
  /** The result of the peer, or the limit, with its unit. */
  reference: string;
  /** Measured / reference: smaller is better. */
  ratio: number;
  /** The highest ratio that keeps the promise. */
  bound: number;
}

export interface Benchmark {
  name: string;
  /** One line. */
  description: string;
  /** The promise of the product that this benchmark guards, in one line. */
  promise: string;
  /** Runs only by name. */
  isLong?: boolean;
  run: (say: (line: string) => void) => Promise<Finding[]>;
}

/** Robust against single slow runs on a noisy machine. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

/** Formats the median and the 99th percentile, in milliseconds. */
export function formatLatencies(times: readonly number[]): string {
  return `${median(times).toFixed(2)} ms (99 of 100 within ${p99(times).toFixed(2)} ms)`;
}

export async function measureMs(work: () => Promise<unknown> | undefined): Promise<number> {
  const began = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - began) / 1e6;
}

/**
 * Alternates between works after warm-up rounds. The first work rotates, since it finds colder caches.
 * @returns the milliseconds of each round by work
 */
export async function runInterleaved(
  rounds: number,
  ...works: readonly ((round: number) => Promise<unknown>)[]
): Promise<number[][]> {
  const times = works.map((): number[] => []);
  const warming = Math.ceil(rounds / 5);
  for (let round = 0; round < warming + rounds; round += 1) {
    for (let offset = 0; offset < works.length; offset += 1) {
      const index = (round + offset) % works.length;
      const ms = await measureMs(async () => works[index]?.(round));
      if (round >= warming) times[index]?.push(ms);
    }
  }
  return times;
}
