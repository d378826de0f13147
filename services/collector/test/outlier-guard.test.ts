import type { HomepageReading } from '../src/network/network.ts';
import { CONFIRMATION_MS, createOutlierGuard } from '../src/slots/outlier-guard.ts';
import { SLOT } from './running-collector.ts';

const STEP = 300;

function reading(online: number, registered: number | null = 24_000): HomepageReading {
  return { online, registered, titles: [], skippedRows: 0 };
}

/** A guard that has accepted a slot with each of these counts, and the slot after them. */
function guardAfter(counts: readonly number[], factor = 4) {
  const guard = createOutlierGuard(factor);
  for (const [index, online] of counts.entries()) {
    expect(guard.check(reading(online), SLOT + index * STEP, 0)).toBeUndefined();
  }
  return { guard, next: SLOT + counts.length * STEP };
}

describe('outlier guard', () => {
  it.each([62, 6262])('holds %d users online after about 500, with the reason', (online) => {
    const { guard, next } = guardAfter([480, 500, 520]);
    expect(guard.check(reading(online), next, 0)).toBe(
      `${online} users online after 480 to 520 in the last hour: a second reading must confirm it`,
    );
  });

  it.each([110, 500, 2000])('accepts %d users online after about 500', (online) => {
    const { guard, next } = guardAfter([480, 500, 520]);
    expect(guard.check(reading(online), next, 0)).toBeUndefined();
  });

  it('accepts an outage that a later reading confirms, and the return from it', () => {
    const { guard, next } = guardAfter([480, 500, 520]);
    expect(guard.check(reading(0), next, 0)).toBeDefined();
    expect(guard.check(reading(0), next, CONFIRMATION_MS - 1)).toBeDefined();
    expect(guard.check(reading(3), next, CONFIRMATION_MS)).toBeUndefined();
    expect(guard.check(reading(500), next + STEP, CONFIRMATION_MS)).toBeUndefined();
  });

  it('refuses an outlier that a later reading contradicts', () => {
    const { guard, next } = guardAfter([480, 500, 520]);
    expect(guard.check(reading(6262), next, 0)).toBeDefined();
    expect(guard.check(reading(0), next, CONFIRMATION_MS)).toBeDefined();
    expect(guard.check(reading(510), next, 2 * CONFIRMATION_MS)).toBeUndefined();
    expect(guard.check(reading(6262), next + STEP, 3 * CONFIRMATION_MS)).toBeDefined();
  });

  it('holds registered users far from those of the last hour, and ignores unknown ones', () => {
    const { guard, next } = guardAfter([480, 500, 520]);
    expect(guard.check(reading(500, 3), next, 0)).toMatch(/^3 registered users/);
    expect(guard.check(reading(500, null), next, 0)).toBeUndefined();
  });

  it('accepts all readings without a range of the last hour, of small counts, and when it is off', () => {
    const late = guardAfter([480, 500, 520]);
    expect(late.guard.check(reading(6262), late.next + 3600, 0)).toBeUndefined();
    const early = guardAfter([480, 500]);
    expect(early.guard.check(reading(6262), early.next, 0)).toBeUndefined();
    const small = guardAfter([1, 0, 2]);
    expect(small.guard.check(reading(17), small.next, 0)).toBeUndefined();
    const off = guardAfter([480, 500, 520], 0);
    expect(off.guard.check(reading(6262), off.next, 0)).toBeUndefined();
  });
});
