import { quantile } from '../drills/abuse/timing.ts';

/** Memory of a service at a moment. */
export interface MemorySample {
  readonly service: string;
  /** Another one when it has been started again. */
  readonly incarnation: string;
  readonly bytes: number;
}

/** With fewer samples a service is still getting to its working size. */
const SAMPLES_MIN = 6;
const MEGABYTE = 1024 ** 2;

/**
 * By how much each service has grown while it was one and the same process: the middle of the last third of its samples against that
 * of the middle third, in MB. The first third is its start.
 */
export function memoryGrowth(samples: readonly MemorySample[]): Map<string, number> {
  const growth = new Map<string, number>();
  const lives = Map.groupBy(samples, ({ service, incarnation }) => `${service} ${incarnation}`);
  for (const life of lives.values()) {
    const [first] = life;
    if (first === undefined || life.length < SAMPLES_MIN) continue;
    const third = Math.floor(life.length / 3);
    const middle = (part: readonly MemorySample[]): number =>
      quantile(
        part.map(({ bytes }) => bytes),
        0.5,
      );
    const grown = (middle(life.slice(-third)) - middle(life.slice(third, 2 * third))) / MEGABYTE;
    growth.set(first.service, Math.max(growth.get(first.service) ?? Number.NEGATIVE_INFINITY, grown));
  }
  return growth;
}
