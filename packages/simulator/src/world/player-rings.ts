import type { Cohorts } from './cohorts.ts';
import { mix, pickIndex } from './hash.ts';

const { floor, max, min } = Math;

interface RingSize {
  least: number;
  usual: number;
}

export interface RingParts {
  seed: number;
  period: number;
  sizes: readonly RingSize[];
  cohorts: Cohorts;
  busy: ReadonlySet<number>;
}

/** Each person is in one ring at most: regulars, displaced regulars, then visitors. */
export function fillRings({ seed, period, sizes, cohorts, busy }: RingParts): Int32Array[] {
  const share = shareOfWishes(sizes, cohorts.visitorCount(period) - busy.size);
  const regulars = cohorts.regularsIn(period).map((players) => players.filter((player) => !busy.has(player)));
  const lengths = sizes.map(({ least, usual }) => least + floor((usual - least) * share));
  const roomless = regulars.flatMap((players, seat) => players.slice(lengths[seat])).values();
  const visitors = cohorts.visitorsOf(period);
  return lengths.map((length, seat) => {
    const present = regulars[seat] ?? [];
    const ring = Int32Array.from({ length }, (_, place) => present[place] ?? roomless.next().value ?? nextVisitor());
    return shuffled(ring, mix(mix(seed, period), seat));
  });

  function nextVisitor(): number {
    for (;;) {
      const player = visitors.next().value;
      if (!busy.has(player)) return player;
    }
  }
}

function shareOfWishes(sizes: readonly RingSize[], people: number): number {
  const needed = sizes.reduce((sum, { least }) => sum + least, 0);
  const wished = sizes.reduce((sum, { usual, least }) => sum + usual - least, 0);
  return min(1, max(0, people - needed) / max(1, wished));
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
