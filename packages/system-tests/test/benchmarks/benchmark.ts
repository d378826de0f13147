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
