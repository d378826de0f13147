import { latencyGrowth } from './latency-growth.ts';

describe('latency growth in a soak', () => {
  it('compares the last third of the minutes with the first third', () => {
    expect(latencyGrowth([90, 10, 10, 12, 15, 30, 20])).toBe(3);
  });

  it('ignores the first minute', () => {
    expect(latencyGrowth([500, 10, 10, 10])).toBe(1);
  });

  it('is undefined for fewer than four minutes', () => {
    expect(latencyGrowth([10, 10, 10])).toBeUndefined();
  });
});
