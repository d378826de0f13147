import { SLOT_SECONDS } from '@lobbystats/contracts';

/** Memory of a service at a point in time. */
export interface MemorySample {
  readonly service: string;
  /** Changes with a restart. */
  readonly incarnation: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

const SLOT_MS = SLOT_SECONDS * 1000;
/** Warm-up time. */
const START_MS = 60_000;
const MEGABYTE = 1024 ** 2;

/**
 * Memory growth of each service in MB, per process: the maximum of the last slot length minus that of the one before,
 * because memory peaks once per slot. Processes that are too young are ignored.
 */
export function memoryGrowth(samples: readonly MemorySample[]): Map<string, number> {
  const growth = new Map<string, number>();
  const lives = Map.groupBy(samples, ({ service, incarnation }) => `${service} ${incarnation}`);
  for (const life of lives.values()) {
    const [first, last] = [life.at(0), life.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < 2 * SLOT_MS + START_MS) continue;
    const mostWithin = (from: number, to: number): number =>
      Math.max(...life.filter(({ at }) => at > from && at <= to).map(({ bytes }) => bytes));
    const middle = last.at - SLOT_MS;
    const grown = (mostWithin(middle, last.at) - mostWithin(middle - SLOT_MS, middle)) / MEGABYTE;
    growth.set(first.service, Math.max(growth.get(first.service) ?? Number.NEGATIVE_INFINITY, grown));
  }
  return growth;
}

/** Number of restarts by service. */
export function restarts(samples: readonly MemorySample[]): Map<string, number> {
  const lives = Map.groupBy(samples, ({ service }) => service);
  return new Map(
    [...lives].map(([service, all]) => [service, new Set(all.map(({ incarnation }) => incarnation)).size - 1]),
  );
}
