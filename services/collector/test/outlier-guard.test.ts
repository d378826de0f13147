import type { HomepageReading, HomeTitle } from '../src/network/network.ts';
import { CONFIRMATION_MS, createOutlierGuard } from '../src/slots/outlier-guard.ts';
import { SLOT } from './running-collector.ts';

const STEP = 300;

function reading(online: number, registered: number | null = 24_000): HomepageReading {
  return { online, registered, titles: [] };
}

/** A guard that has accepted a slot with each of these counts, and the slot after them. */
function guardAfter(counts: readonly number[]) {
  const guard = createOutlierGuard();
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

  describe('of one title', () => {
    const TITLE = '4d530064';
    const withTitle = (online: number, activity: HomeTitle['activity'], titleId = TITLE): HomepageReading => ({
      ...reading(500),
      titles: [{ titleId, name: 'Harbor', publisher: '', productCode: '', image: '', online, activity }],
    });
    const usual = withTitle(40, { sessions: 3, players: 20 });
    const guardOfTitle = () => {
      const guard = createOutlierGuard();
      for (let index = 0; index < 3; index += 1) expect(guard.check(usual, SLOT + index * STEP, 0)).toBeUndefined();
      return { guard, next: SLOT + 3 * STEP };
    };

    it.each([
      ['users online', withTitle(400, { sessions: 3, players: 20 })],
      ['sessions', withTitle(40, { sessions: 203, players: 20 })],
      ['players in sessions', withTitle(40, { sessions: 3, players: 220 })],
    ])('holds its %s until a second reading confirms them', (what, outlier) => {
      const { guard, next } = guardOfTitle();
      expect(guard.check(outlier, next, 0)).toContain(`${what} in ${TITLE} after`);
      expect(guard.check(outlier, next, CONFIRMATION_MS)).toBeUndefined();
    });

    it('accepts the first players of an evening', () => {
      const { guard, next } = guardOfTitle();
      expect(guard.check(withTitle(140, { sessions: 24, players: 96 }), next, 0)).toBeUndefined();
    });

    it('refuses an outlier that a later reading contradicts', () => {
      const { guard, next } = guardOfTitle();
      expect(guard.check(withTitle(400, null), next, 0)).toBeDefined();
      expect(guard.check(usual, next, CONFIRMATION_MS)).toBeUndefined();
    });

    it('accepts the end of all its players once confirmed, unknown activity, and another title', () => {
      const { guard, next } = guardOfTitle();
      const crowded = withTitle(600, { sessions: 3, players: 20 });
      for (const atMs of [0, CONFIRMATION_MS]) guard.check(crowded, next, atMs);
      for (let index = 1; index < 12; index += 1) guard.check(crowded, next + index * STEP, CONFIRMATION_MS);
      const later = next + 12 * STEP;
      expect(guard.check(withTitle(0, { sessions: 0, players: 0 }), later, 0)).toMatch(/^0 users online in/);
      expect(guard.check(withTitle(0, { sessions: 0, players: 0 }), later, CONFIRMATION_MS)).toBeUndefined();
      expect(guard.check(withTitle(30, null), later + STEP, 0)).toBeUndefined();
      expect(guard.check(withTitle(400, null, 'ffffffff'), later + 2 * STEP, 0)).toBeUndefined();
    });
  });

  it('accepts all readings without a range of the last hour, and of small counts', () => {
    const late = guardAfter([480, 500, 520]);
    expect(late.guard.check(reading(6262), late.next + 3600, 0)).toBeUndefined();
    const early = guardAfter([480, 500]);
    expect(early.guard.check(reading(6262), early.next, 0)).toBeUndefined();
    const small = guardAfter([1, 0, 2]);
    expect(small.guard.check(reading(17), small.next, 0)).toBeUndefined();
  });
});
