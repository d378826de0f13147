import fc from 'fast-check';
import type { UserCatalog } from '../src/observations/user-catalog.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { CHESS, DAY, poll, NOON, playMessage, RACING, sighting, SLOT, spans, TENNIS } from './observed-users.ts';

/** Delivers a message to a catalog. */
export type MessageDelivery = (catalog: UserCatalog) => Promise<unknown>;

/** Usernames, which are also the initial gamertags. */
export const USERNAMES = ['EmberFox', 'Marlow', 'Wren'] as const;

/** Every message about {@link USERNAMES} with various spellings and overlapping times and titles. */
export function messageHistories({ gamertags }: { gamertags: 'fixed' | 'moving' }): fc.Arbitrary<MessageDelivery[]> {
  const anyUsername = fc.constantFrom(...USERNAMES);
  const title = fc.constantFrom(RACING, TENNIS, CHESS);
  const slot = fc.integer({ min: -150, max: 1 }).map((index) => NOON + index * SLOT);
  const gamertag = gamertags === 'fixed' ? fc.constant(undefined) : fc.constantFrom('Marlow', 'wren', '', '__proto__');
  const named = fc.tuple(anyUsername, gamertag, fc.boolean()).map(([name, other, isLoud]) => ({
    username: isLoud && gamertags === 'moving' ? name.toUpperCase() : name,
    gamertag: other ?? name,
  }));
  const live = fc
    .record({ named, at: slot, more: fc.integer({ min: 0, max: 9 }), title: fc.option(title), online: fc.boolean() })
    .map(({ named: who, at, more, title: titleId, online }): MessageDelivery => {
      const seen = sighting({ ...who, titleId, game: titleId, isOnline: online, lastSeenAt: at + more });
      return (catalog) => catalog.applyPresence([poll(seen)], false);
    });
  const stretch = fc.record({ titleId: fc.option(title), from: slot, slots: fc.integer({ min: 1, max: 40 }) });
  const play = fc
    .record({ named, stretches: fc.array(stretch, { minLength: 1, maxLength: 3 }) })
    .map(({ named: who, stretches }): MessageDelivery => {
      const message = playMessage({ ...spans(...stretches), ...who });
      return (catalog) => catalog.applyPlayTime([message], true);
    });
  const ended = fc.record({ host: anyUsername, endedAt: slot }).map((match): MessageDelivery => {
    return (catalog) => catalog.applyMatches([{ at: NOON, matches: [match] }], false);
  });
  const at = fc.integer({ min: NOON - 9, max: NOON });
  const rank = fc.record({
    gamertag: anyUsername,
    titleId: title,
    leaderboardId: fc.integer({ min: 1, max: 2 }),
    rank: fc.option(fc.integer({ min: 1, max: 3 })),
  });
  const ranked = fc
    .record({ at, revision: fc.integer({ min: 1, max: 5 }), ranks: fc.array(rank, { minLength: 1, maxLength: 3 }) })
    .map((message): MessageDelivery => {
      return (catalog) => catalog.applyRanks([message], false);
    });
  const rated = fc
    .record({ at, username: anyUsername, ratingsGiven: fc.integer({ min: 1, max: 4 }) })
    .map(({ at: ratedAt, ...rater }): MessageDelivery => {
      return (catalog) => catalog.applyRatings([{ at: ratedAt, raters: [rater] }], false);
    });
  return fc.array(fc.oneof(live, live, play, ended, ranked, rated), { minLength: 1, maxLength: 12 });
}

/** Reads all data of a store except unlocks. */
export async function readState({ users }: UserDatabase): Promise<unknown> {
  const storedUsers = await users.usersAfter(undefined, 100);
  const keys = ['emberfox', 'marlow', 'wren', '__proto__'];
  const days = Array.from({ length: 5 }, (_, index) => DAY / 86_400 - 2 + index);
  const dayKeys = keys.flatMap((key) => days.map((day) => ({ key, day })));
  const players = [...(await users.players(keys)).values()];
  return {
    people: storedUsers.map(({ unlocked: _unlocked, score: _score, ...user }) => user),
    players: players.sort(byKey).map(({ standings, ...player }) => ({ ...player, standings: [...standings] })),
    playDays: (await users.playDays(dayKeys))
      .map(({ titles, ...day }) => ({ ...day, titles: [...titles] }))
      .sort(byDay),
    hostDays: (await users.hostDays(dayKeys)).sort(byDay),
  };
}

/** Reads the unlocks of all users, with their times. */
export async function readUnlocks({ users }: UserDatabase): Promise<unknown> {
  const storedUsers = await users.usersAfter(undefined, 100);
  const { byAchievement, players } = await users.unlockCounts();
  return {
    users: storedUsers.map(({ key, unlocked, score }) => ({ key, unlocked, score })),
    times: await users.recentUnlocks(1000),
    counts: [players, [...byAchievement].sort(([a], [b]) => a - b)],
  };
}

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1;
}

function byDay(a: { day: number }, b: { day: number }): number {
  return a.day - b.day || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}
