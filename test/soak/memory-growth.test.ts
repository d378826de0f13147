import { memoryGrowth, restarts, type MemorySample } from './memory-growth.ts';

const MEGABYTE = 1024 ** 2;

/** Every 15 s from a beginning on, in MB by the seconds since then. */
function life(incarnation: string, seconds: number, megabytes: (second: number) => number): MemorySample[] {
  return Array.from({ length: seconds / 15 + 1 }, (_, index) => ({
    ...{ service: 'collector', incarnation, at: 1_000_000 + index * 15_000 },
    bytes: megabytes(index * 15) * MEGABYTE,
  }));
}

describe('memory growth in a soak', () => {
  it('is none for what has much in hand once a slot', () => {
    const samples = life('a', 900, (second) => (second % 300 < 100 ? 180 : 100));
    expect(memoryGrowth(samples).get('collector')).toBe(0);
  });

  it('is what is never given back', () => {
    const samples = life('a', 900, (second) => 100 + second / 5);
    expect(memoryGrowth(samples).get('collector')).toBe(60);
  });

  it('is not told of a life of less than two slots', () => {
    expect(memoryGrowth(life('a', 600, (second) => second)).size).toBe(0);
  });

  it('counts how often a service has begun anew', () => {
    const samples = [...life('a', 60, () => 1), ...life('b', 60, () => 1), ...life('c', 60, () => 1)];
    expect(restarts(samples).get('collector')).toBe(2);
  });
});
