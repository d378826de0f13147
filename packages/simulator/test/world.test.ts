import fc from 'fast-check';
import type { SlotObservation } from '../src/index.ts';
import { createWorld } from '../src/world/world.ts';
import { NOW_SLOT } from './running-simulator.ts';

const SLOT = 300;
const DAY = 86_400;
const anySlot = fc.integer({ min: 0, max: 8_000_000 }).map((index) => index * SLOT);
const world = createWorld({ titles: 60, openMatches: 40 });

describe('the simulated world', () => {
  it('is independent of the order of requests', () => {
    fc.assert(
      fc.property(fc.array(anySlot, { minLength: 2, maxLength: 5 }), (slots) => {
        const other = createWorld({ titles: 60, openMatches: 40, seed: '1' });
        const forward = slots.map((slot) => world.observe(slot));
        const backward = slots.toReversed().map((slot) => other.observe(slot));
        expect(backward.toReversed()).toEqual(forward);
      }),
      { numRuns: 25 },
    );
  });

  it('differs with another seed', () => {
    const other = createWorld({ titles: 60, openMatches: 40, seed: 2 });
    expect(other.observe(NOW_SLOT)).not.toEqual(world.observe(NOW_SLOT));
  });

  it('has consistent counts, and no player hosts two matches at a time', () => {
    fc.assert(
      fc.property(anySlot, fc.constantFrom(1, 40, 400), (slot, openMatches) => {
        const observation = createWorld({ titles: 30, openMatches, players: 10 }).observe(slot);
        const hosts = observation.titles.flatMap(({ matches }) => matches.map(({ host }) => host));
        expect(new Set(hosts).size).toBe(hosts.length);
        expectToAddUp(observation);
      }),
      { numRuns: 60 },
    );
  });

  it('observeTitle equals the title in observe', () => {
    for (const title of world.observe(NOW_SLOT).titles) {
      expect(world.observeTitle(NOW_SLOT, title.titleId)).toEqual(title);
    }
  });

  it('has the configured number of open matches on average', () => {
    const mean = meanOf(28 * 24, (index) => matchesOf(world.observe(NOW_SLOT - index * 3_600)));
    expect(mean).toBeGreaterThan(32);
    expect(mean).toBeLessThan(48);
  });

  it('has many empty titles at any time', () => {
    const { titles } = createWorld().observe(NOW_SLOT);
    expect(titles.filter(({ online }) => online === 0).length).toBeGreaterThan(60);
  });

  it('has more users in the evening and at weekends', () => {
    const saturday = Date.UTC(2026, 4, 16) / 1000;
    const onlineAt = (hour: number, day = 0) =>
      meanOf(20, (week) => world.observe(saturday + day * DAY + hour * 3_600 - week * 7 * DAY).online);
    expect(onlineAt(21)).toBeGreaterThan(onlineAt(8) * 1.2);
    expect(onlineAt(21)).toBeGreaterThan(onlineAt(21, 3) * 1.2);
  });

  it('is nearly empty for about an hour once in a while', () => {
    const month = Array.from({ length: 30 * 288 }, (_, index) => world.observe(NOW_SLOT - index * SLOT).online);
    const usual = month.reduce((sum, online) => sum + online, 0) / month.length;
    const emptySlots = month.filter((online) => online < usual * 0.12).length;
    expect(emptySlots).toBeGreaterThanOrEqual(6);
    expect(emptySlots).toBeLessThan(100);
  });

  it('hosts stay for ten minutes to two hours without a break', () => {
    const lengths = runLengths(NOW_SLOT, 288);
    expect(lengths.length).toBeGreaterThan(200);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(24);
    // Without outages and removed titles, which cut sessions, none is shorter than two slots.
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(2);
  });

  it('the number of registered users never falls, also a year ago', () => {
    const aYearAgo = world.registeredAt(NOW_SLOT - 365 * DAY);
    expect(aYearAgo).toBeGreaterThan(5_000);
    expect(world.registeredAt(NOW_SLOT)).toBeGreaterThan(aYearAgo + 365);
    fc.assert(
      fc.property(anySlot, fc.nat(1_000), (slot, slots) => {
        expect(world.registeredAt(slot + slots * SLOT)).toBeGreaterThanOrEqual(world.registeredAt(slot));
      }),
    );
  });

  it('rejects options out of range', () => {
    expect(() => createWorld({ titles: 0 })).toThrow(/titles/);
    expect(() => createWorld({ openMatches: Number.NaN })).toThrow(/openMatches/);
  });
});

function expectToAddUp({ titles, online, registered }: SlotObservation): void {
  expect(online).toBeGreaterThanOrEqual(titles.reduce((sum, title) => sum + title.online, 0));
  expect(registered).toBeGreaterThanOrEqual(0);
  for (const title of titles) {
    expect(title.sessions).toBe(title.matches.length);
    expect(title.players).toBe(title.matches.reduce((sum, match) => sum + match.players, 0));
    expect(title.online).toBeGreaterThanOrEqual(title.players);
    const sizes = title.matches.map(({ players, maxPlayers }) => ({ players, most: maxPlayers ?? 32 }));
    expect(sizes.filter(({ players, most }) => players < 1 || players > most)).toEqual([]);
  }
}

function matchesOf({ titles }: SlotObservation): number {
  return titles.reduce((sum, { sessions }) => sum + sessions, 0);
}

function meanOf(count: number, value: (index: number) => number): number {
  return Array.from({ length: count }, (_, index) => value(index)).reduce((sum, one) => sum + one, 0) / count;
}

/** The lengths, in slots, of all runs that begin and end within `slots` slots from `first` on. */
function runLengths(first: number, slots: number): number[] {
  const running = new Map<string, number>();
  const lengths: number[] = [];
  for (let index = 0; index < slots; index += 1) {
    const open = new Set(
      world
        .observe(first + index * SLOT)
        .titles.flatMap(({ titleId, matches }) => matches.map(({ host }) => `${titleId} ${host}`)),
    );
    for (const [run, begun] of running) {
      if (open.has(run)) continue;
      if (begun > 0) lengths.push(index - begun);
      running.delete(run);
    }
    for (const run of open) if (!running.has(run)) running.set(run, index);
  }
  return lengths;
}
