/** What a benchmark found, beside what it is held against in the same run. */
export interface Finding {
  /** What was measured. */
  what: string;
  /** With its unit. */
  measured: string;
  /** The peer's result, or the limit, with its unit. */
  against: string;
  /** measured / peer or limit: smaller is better. */
  ratio: number;
  /** The highest ratio that keeps the promise. */
  bound: number;
}

export interface Benchmark {
  name: string;
  /** What is measured, in one line. */
  about: string;
  /** What the product promises and this benchmark guards, in one line. */
  promise: string;
  /** Left out unless it is named: it takes long. */
  isLong?: boolean;
  run: (say: (line: string) => void) => Promise<Finding[]>;
}

/** The median: one slow run on a noisy machine does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value that 99 of 100 do not exceed. */
export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

/** Times in words: the median and the 99th percentile, in milliseconds. */
export function timesOf(times: readonly number[]): string {
  return `${median(times).toFixed(2)} ms (99 of 100 within ${p99(times).toFixed(2)} ms)`;
}

/** Milliseconds that `work` takes. */
export async function millisecondsOf(work: () => Promise<unknown> | undefined): Promise<number> {
  const began = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - began) / 1e6;
}

/**
 * Runs works in turn, each with the number of the round, after some rounds that warm them up, and gives the milliseconds of
 * each round by work. Each round another one begins: the first to ask a server for something finds less of it in memory.
 */
export async function roundsOf(
  rounds: number,
  ...works: readonly ((round: number) => Promise<unknown>)[]
): Promise<number[][]> {
  const times = works.map((): number[] => []);
  const warming = Math.ceil(rounds / 5);
  for (let round = 0; round < warming + rounds; round += 1) {
    for (let turn = 0; turn < works.length; turn += 1) {
      const index = (round + turn) % works.length;
      const ms = await millisecondsOf(async () => works[index]?.(round));
      if (round >= warming) times[index]?.push(ms);
    }
  }
  return times;
}
