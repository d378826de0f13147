import fc from 'fast-check';
import type { PeopleCatalog } from '../src/domain/people-catalog.ts';
import type { PeopleStore } from '../src/domain/people-store.ts';
import type { UserRecord } from '../src/domain/user-record.ts';
import { CHESS, DAY, look, NOON, past, RACING, sighting, SLOT, spans, TENNIS } from './observed-people.ts';

/** What a message has somebody do: any number of them are one delivery. */
export type Delivery = (people: PeopleCatalog) => Promise<unknown>;

/** Usernames, and the gamertags that they have at first. */
export const PEOPLE = ['EmberFox', 'Marlow', 'Wren'] as const;

/** Every message about {@link PEOPLE}, each as a delivery of its own. Names come in any spelling, times and titles meet. */
export function messages({ gamertags }: { gamertags: 'fixed' | 'moving' }): fc.Arbitrary<Delivery[]> {
  const person = fc.constantFrom(...PEOPLE);
  const title = fc.constantFrom(RACING, TENNIS, CHESS);
  const slot = fc.integer({ min: -150, max: 1 }).map((index) => NOON + index * SLOT);
  const gamertag = gamertags === 'fixed' ? fc.constant(undefined) : fc.constantFrom('Marlow', 'wren', '', '__proto__');
  const named = fc.tuple(person, gamertag, fc.boolean()).map(([name, other, isLoud]) => ({
    username: isLoud && gamertags === 'moving' ? name.toUpperCase() : name,
    gamertag: other ?? name,
  }));
  const live = fc
    .record({ named, at: slot, more: fc.integer({ min: 0, max: 9 }), title: fc.option(title), online: fc.boolean() })
    .map(({ named: who, at, more, title: titleId, online }): Delivery => {
      const seen = sighting({ ...who, titleId, game: titleId, isOnline: online, lastSeenAt: at + more });
      return (people) => people.observePlayers([look(seen)], false);
    });
  const stretch = fc.record({ titleId: fc.option(title), from: slot, slots: fc.integer({ min: 1, max: 40 }) });
  const play = fc
    .record({ named, stretches: fc.array(stretch, { minLength: 1, maxLength: 3 }) })
    .map(({ named: who, stretches }): Delivery => {
      const told = past({ ...spans(...stretches), ...who });
      return (people) => people.observePlay([told], true);
    });
  const ended = fc.record({ host: person, endedAt: slot }).map((match): Delivery => {
    return (people) => people.endMatches([{ at: NOON, matches: [match] }], false);
  });
  const rank = fc.record({
    gamertag: person,
    titleId: title,
    leaderboardId: fc.integer({ min: 1, max: 2 }),
    rank: fc.option(fc.integer({ min: 1, max: 3 })),
  });
  const ranked = fc
    .record({ revision: fc.integer({ min: 1, max: 5 }), ranks: fc.array(rank, { minLength: 1, maxLength: 3 }) })
    .map((told): Delivery => {
      return (people) => people.rank([{ at: NOON, ...told }], false);
    });
  const rated = fc.record({ username: person, ratingsGiven: fc.integer({ min: 1, max: 4 }) }).map(
    (rater): Delivery =>
      (people) =>
        people.rated([{ at: NOON, raters: [rater] }], false),
  );
  return fc.array(fc.oneof(live, live, play, ended, ranked, rated), { minLength: 1, maxLength: 12 });
}

/** All that a store has, but for unlocks. */
export async function stateOf({ users }: PeopleStore): Promise<unknown> {
  const people = await users.usersAfter(undefined, 100);
  const keys = ['emberfox', 'marlow', 'wren', '__proto__'];
  const days = Array.from({ length: 5 }, (_, index) => DAY / 86_400 - 2 + index);
  const wanted = keys.flatMap((key) => days.map((day) => ({ key, day })));
  const players = [...(await users.players(keys)).values()];
  return {
    people: people.map(({ unlocked: _unlocked, score: _score, ...person }) => person),
    players: players.sort(byKey).map(({ standings, ...player }) => ({ ...player, standings: [...standings] })),
    playDays: (await users.playDays(wanted)).map(({ titles, ...day }) => ({ ...day, titles: [...titles] })).sort(byDay),
    hostDays: (await users.hostDays(wanted)).sort(byDay),
  };
}

/** What everybody has unlocked. */
export async function unlockedBy({ users }: PeopleStore): Promise<Pick<UserRecord, 'key' | 'unlocked' | 'score'>[]> {
  const people = await users.usersAfter(undefined, 100);
  return people.map(({ key, unlocked, score }) => ({ key, unlocked, score }));
}

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1;
}

function byDay(a: { day: number }, b: { day: number }): number {
  return a.day - b.day || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}
