import { formatInstant } from '@lobbystats/contracts';
import { fixedClock } from '@lobbystats/test-kit';
import { secondsUntil } from '../src/cache/cache-store.ts';
import { Freshness } from '../src/cache/freshness.ts';

const SLOT = 1_800_000_000;

function freshnessAt(seconds: number) {
  const clock = fixedClock(formatInstant(SLOT + seconds));
  const freshness = new Freshness(clock);
  return { clock, freshness, maxAge: () => secondsUntil(freshness.nextMs, clock()) };
}

describe('freshness of responses', () => {
  it('is 5 s before the first slot is published', () => {
    expect(freshnessAt(0).maxAge()).toBe(5);
  });

  it('lasts until the next slot would be as late as the newest one was', () => {
    const { clock, freshness, maxAge } = freshnessAt(25);
    freshness.slotPublished(SLOT);
    expect(maxAge()).toBe(300);
    clock.set(formatInstant(SLOT + 200));
    expect(maxAge()).toBe(125);
    clock.set(formatInstant(SLOT + 324));
    expect(maxAge()).toBe(1);
  });

  it('is rounded down to whole seconds', () => {
    let nowMs = SLOT * 1000;
    const freshness = new Freshness(() => nowMs);
    freshness.slotPublished(SLOT);
    nowMs += 299_001;
    expect(secondsUntil(freshness.nextMs, nowMs)).toBe(0);
    nowMs += 999;
    expect(secondsUntil(freshness.nextMs, nowMs)).toBe(5);
  });

  it('is 5 s while the next slot is overdue', () => {
    const { clock, freshness, maxAge } = freshnessAt(25);
    freshness.slotPublished(SLOT);
    clock.set(formatInstant(SLOT + 325));
    expect(maxAge()).toBe(5);
    clock.set(formatInstant(SLOT + 330));
    freshness.slotPublished(SLOT + 300);
    expect(maxAge()).toBe(300);
  });

  it('is 5 s after a change inside a slot, until the next slot is published', () => {
    const { clock, freshness, maxAge } = freshnessAt(25);
    freshness.slotPublished(SLOT);
    freshness.changedInSlot();
    freshness.slotPublished(SLOT);
    expect(maxAge()).toBe(5);
    clock.advance(300);
    freshness.slotPublished(SLOT + 300);
    expect(maxAge()).toBe(300);
  });

  it('does not grow when a slot is published again', () => {
    const { clock, freshness, maxAge } = freshnessAt(25);
    freshness.slotPublished(SLOT);
    clock.advance(100);
    freshness.slotPublished(SLOT);
    expect(maxAge()).toBe(200);
  });

  it.each([-300, -86_400, 300, 86_400])('ignores a slot that is %i s from now', (offset) => {
    const { freshness, maxAge } = freshnessAt(10);
    freshness.slotPublished(SLOT + offset);
    expect(maxAge()).toBe(5);
  });

  it('is 5 s after a clock jump, and correct again with the next slot', () => {
    const { clock, freshness, maxAge } = freshnessAt(10);
    freshness.slotPublished(SLOT);
    for (const jump of [-3600, 7200]) {
      clock.advance(jump);
      expect(maxAge()).toBe(5);
    }
    const later = SLOT + 3600;
    clock.set(formatInstant(later + 10));
    freshness.slotPublished(later);
    expect(maxAge()).toBe(300);
    clock.set(formatInstant(SLOT - 290));
    freshness.slotPublished(SLOT - 300);
    expect(maxAge()).toBe(300);
  });

  it('is taken from the time at which the response was begun', () => {
    const { clock, freshness } = freshnessAt(10);
    freshness.slotPublished(SLOT);
    clock.advance(295);
    const nextMs = freshness.nextMs;
    clock.advance(10);
    freshness.slotPublished(SLOT + 300);
    expect(secondsUntil(nextMs, clock())).toBe(5);
  });
});
