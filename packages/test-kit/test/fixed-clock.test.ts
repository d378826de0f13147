import { fixedClock } from '@lobbystats/test-kit';

describe('fixedClock', () => {
  it('returns the same time until it is advanced or set', () => {
    const clock = fixedClock('2026-01-31T18:05:00Z');
    expect([clock(), clock()]).toEqual([1_769_882_700_000, 1_769_882_700_000]);
    clock.advance(300);
    expect(clock()).toBe(1_769_883_000_000);
    clock.advance(-0.5);
    expect(clock()).toBe(1_769_882_999_500);
    clock.set('2026-01-01T00:00:00Z');
    expect(clock()).toBe(1_767_225_600_000);
  });

  it('rejects a text that is not an instant', () => {
    expect(() => fixedClock('yesterday')).toThrow('"yesterday" is no instant');
  });
});
