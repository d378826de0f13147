import { memoryGrowth, restarts, type MemorySample } from './memory-growth.ts';

const MEGABYTE = 1024 ** 2;

/** Samples every 15 s, in MB by seconds since the start. */
function samplesOf(incarnation: string, seconds: number, megabytes: (second: number) => number): MemorySample[] {
  return Array.from({ length: seconds / 15 + 1 }, (_, index) => ({
    ...{ service: 'collector', incarnation, at: 1_000_000 + index * 15_000 },
    bytes: megabytes(index * 15) * MEGABYTE,
  }));
}

describe('memory growth in a soak', () => {
  it('is zero for a process with a peak in each slot', () => {
    const samples = samplesOf('a', 900, (second) => (second % 300 < 100 ? 180 : 100));
    expect(memoryGrowth(samples).get('collector')).toBe(0);
  });

  it('is the memory that is not released', () => {
    const samples = samplesOf('a', 900, (second) => 100 + second / 5);
    expect(memoryGrowth(samples).get('collector')).toBe(60);
  });

  it('is not reported for a process younger than two slots', () => {
    expect(memoryGrowth(samplesOf('a', 600, (second) => second)).size).toBe(0);
  });

  it('counts the restarts of a service', () => {
    const samples = [...samplesOf('a', 60, () => 1), ...samplesOf('b', 60, () => 1), ...samplesOf('c', 60, () => 1)];
    expect(restarts(samples).get('collector')).toBe(2);
  });
});
