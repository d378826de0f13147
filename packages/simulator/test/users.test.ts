import fc from 'fast-check';
import type { Sighting, World } from '../src/index.ts';
import { createWorld } from '../src/world/world.ts';
import { NOW_SLOT } from './running-simulator.ts';

const SLOT = 300;
const DAY = 86_400;
const TODAY = NOW_SLOT - (NOW_SLOT % DAY);
const anySlot = fc.integer({ min: 0, max: 8_000_000 }).map((index) => index * SLOT);
const SMALL = { titles: 30, openMatches: 25, boards: 10, entries: 100 };
const world = createWorld(SMALL);

describe('simulated users', () => {
  it('match the counts of each title, and no user is in two titles', () => {
    fc.assert(
      fc.property(anySlot, fc.constantFrom(0, 1, 25, 200), (slot, openMatches) => {
        expectConsistentCounts(createWorld({ ...SMALL, openMatches, players: 10 }), slot);
      }),
      { numRuns: 15 },
    );
  });

  it('match the counts at day boundaries and in outages', () => {
    for (let slot = TODAY - DAY; slot <= TODAY + DAY; slot += 16 * SLOT) expectConsistentCounts(world, slot);
    expectConsistentCounts(world, TODAY - SLOT);
    const { slot } = quietest(world);
    expectConsistentCounts(world, slot - SLOT);
    expectConsistentCounts(world, slot);
  });

  it('match the counts of the default network', () => {
    expectConsistentCounts(createWorld(), NOW_SLOT);
  });

  it('are independent of the order of requests', () => {
    fc.assert(
      fc.property(fc.array(anySlot, { minLength: 2, maxLength: 3 }), (slots) => {
        const other = createWorld({ ...SMALL, seed: '1' });
        const serialize = (one: World, slot: number) =>
          JSON.stringify([one.onlineAt(slot), [...one.playersOfDay(slot)]]);
        const forward = slots.map((slot) => serialize(world, slot));
        const backward = slots.toReversed().map((slot) => serialize(other, slot));
        // `toEqual` is slow for a megabyte.
        expect(backward.toReversed().every((text, index) => text === forward[index])).toBe(true);
      }),
      { numRuns: 4 },
    );
  });

  it('differ with another seed', () => {
    expect(createWorld({ ...SMALL, seed: 2 }).onlineAt(NOW_SLOT)).not.toEqual(world.onlineAt(NOW_SLOT));
  });

  it('the spans of a day equal the users online in each slot', () => {
    for (const day of [TODAY, TODAY - 3 * DAY]) {
      const sightingsBySlot = Array.from({ length: 288 }, (): Sighting[] => []);
      for (const { player, spans } of world.playersOfDay(day)) {
        for (const { title, from, to } of spans) {
          for (let slot = from; slot <= to; slot += SLOT) sightingsBySlot[(slot - day) / SLOT]?.push({ player, title });
        }
      }
      const due = sightingsBySlot.map((_, index) => world.onlineAt(day + index * SLOT));
      expect(sightingsBySlot.map((online) => JSON.stringify(online))).toEqual(
        due.map((online) => JSON.stringify(online)),
      );
    }
  });

  it('a day can be continued after any player, and read for one player', () => {
    const all = [...world.playersOfDay(NOW_SLOT)];
    const middle = all[Math.floor(all.length / 2)];
    expect([...world.playersOfDay(NOW_SLOT, middle?.player)]).toEqual(all.slice(all.length / 2 + 1));
    for (const { player, spans } of all.filter((_, index) => index % 50 === 0)) {
      expect(world.playOf(NOW_SLOT, player)).toEqual(spans);
    }
    expect(world.playOf(NOW_SLOT, 3_999_999)).toEqual([]);
  });

  it('a span ends where its title ends or is renamed', () => {
    const spans = [...world.playersOfDay(TODAY)].flatMap((day) => day.spans);
    const named = spans.flatMap(({ title, from, to }) => (title === null ? [] : [{ title, from, to }]));
    const namesAt = (slot: (span: (typeof named)[number]) => number) =>
      named.map((span) => world.titleAt(slot(span), span.title.titleId)?.name);
    const names = named.map(({ title }) => title.name);
    expect(namesAt(({ from }) => from)).toEqual(names);
    expect(namesAt(({ to }) => to)).toEqual(names);
  });

  it('stay for minutes up to a few hours, across midnight', () => {
    const full = createWorld();
    const stays = [...full.playersOfDay(NOW_SLOT)].flatMap(({ spans }) =>
      spans.map(({ from, to }) => (to - from) / SLOT + 1),
    );
    stays.sort((one, other) => one - other);
    expect(stays[Math.floor(stays.length * 0.15)]).toBeGreaterThanOrEqual(2);
    expect(stays[Math.floor(stays.length / 2)]).toBeGreaterThanOrEqual(4);
    expect(stays.at(-1)).toBeLessThanOrEqual(64);
    const before = new Set(full.onlineAt(TODAY - SLOT).map(({ player }) => player));
    const staying = full.onlineAt(TODAY).filter(({ player }) => before.has(player));
    expect(staying.length).toBeGreaterThan(before.size * 0.7);
  });

  it('come back on other days, frequent players every day', () => {
    const days = [1, 2, 3, 4, 5, 6, 7].map((back) => TODAY - back * DAY);
    const seen = days.map((day) => new Set([...world.playersOfDay(day)].map(({ player }) => player)));
    const faithful = world.frequentPlayers(6);
    expect(new Set(faithful).size).toBe(6);
    for (const player of faithful) expect([player, seen.filter((day) => day.has(player)).length]).toEqual([player, 7]);
    const everybody = new Set(seen.flatMap((day) => [...day]));
    const once = [...everybody].filter((player) => seen.filter((day) => day.has(player)).length === 1);
    expect(once.length).toBeGreaterThan(everybody.size * 0.05);
    expect(once.length).toBeLessThan(everybody.size);
  });
});

/** The users of a slot match its counts in each title and in none, and hosts are in their titles. */
function expectConsistentCounts(one: World, slot: number): void {
  const observed = one.observe(slot);
  const online = one.onlineAt(slot);
  const titleOf = new Map(online.map(({ player, title }) => [one.userOf(player).gamertag, title?.titleId] as const));
  expect([slot, online.length, titleOf.size]).toEqual([slot, observed.online, observed.online]);
  const counted = new Map<string, number>();
  for (const titleId of titleOf.values()) {
    if (titleId !== undefined) counted.set(titleId, (counted.get(titleId) ?? 0) + 1);
  }
  const busy = observed.titles.filter((title) => title.online > 0);
  expect(counted).toEqual(new Map(busy.map((title) => [title.titleId, title.online])));
  const hosts = observed.titles.flatMap(({ titleId, matches }) => matches.map(({ host }) => [host, titleId]));
  expect(hosts.map(([host = '']) => [host, titleOf.get(host)])).toEqual(hosts);
}

function quietest(one: World): { slot: number; online: number } {
  const slots = Array.from({ length: 20 * 48 }, (_, index) => NOW_SLOT - index * 6 * SLOT);
  return slots
    .map((slot) => ({ slot, online: one.observe(slot).online }))
    .reduce((least, observed) => (observed.online < least.online ? observed : least));
}
