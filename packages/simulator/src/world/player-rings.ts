import type { Cohorts } from './cohorts.ts';
import { mix, pickIndex } from './hash.ts';

const { floor, max, min } = Math;

interface RingSize {
  least: number;
  usual: number;
}

export interface RingOptions {
  seed: number;
  period: number;
  sizes: readonly RingSize[];
  cohorts: Cohorts;
  busy: ReadonlySet<number>;
}

/** Each user is in one ring at most: regulars, displaced regulars, then visitors. */
export function fillRings({ seed, period, sizes, cohorts, busy }: RingOptions): Int32Array[] {
  const share = optionalShare(sizes, cohorts.visitorCount(period) - busy.size);
  const regulars = cohorts.regularsIn(period).map((players) => players.filter((player) => !busy.has(player)));
  const lengths = sizes.map(({ least, usual }) => least + floor((usual - least) * share));
  const displaced = regulars.flatMap((players, seat) => players.slice(lengths[seat])).values();
  const visitors = cohorts.visitorsOf(period);
  return lengths.map((length, seat) => {
    const present = regulars[seat] ?? [];
    const ring = Int32Array.from({ length }, (_, index) => present[index] ?? displaced.next().value ?? nextVisitor());
    return shuffled(ring, mix(mix(seed, period), seat));
  });

  function nextVisitor(): number {
    for (;;) {
      const player = visitors.next().value;
      if (!busy.has(player)) return player;
    }
  }
}

function optionalShare(sizes: readonly RingSize[], users: number): number {
  const needed = sizes.reduce((sum, { least }) => sum + least, 0);
  const optional = sizes.reduce((sum, { usual, least }) => sum + usual - least, 0);
  return min(1, max(0, users - needed) / max(1, optional));
}

function shuffled(ring: Int32Array, seed: number): Int32Array {
  for (let last = ring.length - 1; last > 0; last -= 1) {
    const other = pickIndex(mix(seed, last), last + 1);
    const player = ring[last] ?? 0;
    ring[last] = ring[other] ?? 0;
    ring[other] = player;
  }
  return ring;
}
