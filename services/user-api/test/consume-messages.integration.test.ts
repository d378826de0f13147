import {
  formatInstant,
  matchEnded,
  playerRanked,
  playersObserved,
  playObserved,
  ratingStored,
  type MessageType,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { PublishOptions } from '@lobbystats/service-kit/bus';
import { cleanUp, eventually, memoryBus } from '@lobbystats/test-kit';
import type { z } from 'zod';
import type { ObservationResult } from '../src/observations/user-catalog.ts';
import { openSqliteUserDatabase } from '../src/user-database.sqlite.ts';
import { FollowTriggers } from '../src/following/follow-triggers.ts';
import { consumeMessages } from '../src/messages/messages.bus.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { NOON, openUsers, createCatalog, RACING, SLOT, testNameHash, type ObservedUsers } from './observed-users.ts';

const rules = definitionsOf([
  definition(1, { rule: { kind: 'play-minutes', minutes: 15 } }),
  definition(2, { rule: { kind: 'sessions-hosted', count: 1 } }),
  definition(3, { rule: { kind: 'leaderboard-rank', rank: 1 } }),
  definition(4, { rule: { kind: 'ratings-given', count: 2 } }),
]);
const identity = { username: 'EmberFox', gamertag: 'Ember Fox', verified: true };
const game = { titleId: RACING, game: 'Harbor Racing' };
const NOW = formatInstant(NOON);

const seen = (...names: readonly string[]) => ({
  seenAt: NOW,
  players: names.map((username) => ({ ...identity, ...game, username, isOnline: true, lastSeenAt: NOW })),
});

/** Triggers of a store in which nobody follows anything. */
function noTriggers(): FollowTriggers {
  const store = openSqliteUserDatabase('sqlite::memory:', 'simulated');
  cleanUp(() => store.close());
  return new FollowTriggers({
    ...{ store: store.following, users: store.users, nameHash: testNameHash, now: () => NOON, onNews: () => undefined },
  });
}

/** Starts the consumer of user-api on an in-process bus. */
async function consuming(options: { observed?: ObservedUsers; people?: ObservedUsers['catalog'] } = {}) {
  const { observed = openUsers(rules), people: userCatalog = observed.catalog } = options;
  const bus = await memoryBus();
  const steps: ObservationResult[] = [];
  const triggers = noTriggers();
  const consumer = await consumeMessages(bus, {
    catalog: userCatalog,
    triggers,
    onObserved: (step) => steps.push(step),
  });
  cleanUp(() => consumer.stop());
  const settled = () =>
    eventually(async () => {
      expect(await bus.depth('user-api')).toBe(0);
    });
  const publish = async <Data extends z.ZodType>(
    type: MessageType<Data>,
    data: z.input<Data>,
    about?: PublishOptions,
  ): Promise<void> => {
    await bus.publish(type, data, about);
    await settled();
  };
  return { ...observed, bus, steps, settled, publish };
}

describe('message consumer of user-api', () => {
  it('applies every message type and unlocks achievements at the time of what happened', async () => {
    const { publish, unlocks, user } = await consuming();
    await publish(playersObserved, seen('EmberFox'));
    const span = { ...game, from: formatInstant(NOON - 2 * SLOT), to: formatInstant(NOON - SLOT) };
    await publish(playObserved, { players: [{ ...identity, spans: [span] }] }, { past: true });
    const numbers = { players: 1, maxPlayers: 8, peakPlayers: 4 };
    const match = { titleId: RACING, host: 'Ember Fox', startedAt: NOW, endedAt: NOW, ...numbers };
    await publish(matchEnded, { slot: NOW, matches: [match] }, { occurredAt: NOON - 10 });
    const rank = { gamertag: 'Ember Fox', titleId: RACING.toUpperCase(), leaderboardId: 1, rank: 1 };
    await publish(playerRanked, { revision: 1, ranks: [rank] }, { occurredAt: NOON - 20 });
    const raters = [{ username: 'EmberFox', ratingsGiven: 2 }];
    const stored = { username: 'Marlow', average: 4.5, ratingCount: 1, raters };
    await publish(ratingStored, stored, { occurredAt: NOON - 30 });
    expect(await unlocks()).toMatchObject([
      { achievementId: 1, unlockedAt: NOON },
      { achievementId: 2, unlockedAt: NOON },
      { achievementId: 3, unlockedAt: NOON - 20 },
      { achievementId: 4, unlockedAt: NOON - 30 },
    ]);
    expect(await user()).toMatchObject({ score: 40, titles: [{ titleId: RACING, minutes: 15 }] });
  });

  it('unlocks an achievement at the time of its own message within a batch', async () => {
    const { bus, settled, publish, unlocks } = await consuming();
    await publish(playersObserved, seen('EmberFox'));
    const rated = (ratingsGiven: number) => ({
      username: 'Marlow',
      average: 4.5,
      ratingCount: 1,
      raters: [{ username: 'EmberFox', ratingsGiven }],
    });
    await Promise.all(
      [4, 1, 3, 2].map((count) => bus.publish(ratingStored, rated(count), { occurredAt: NOON - 60 + count })),
    );
    await settled();
    expect(await unlocks()).toMatchObject([{ achievementId: 4, unlockedAt: NOON - 58 }]);
  });

  it('marks facts of backfill messages as past beside live ones', async () => {
    const { bus, settled, store } = await consuming();
    await Promise.all([
      bus.publish(playersObserved, seen('Wren'), { past: true }),
      bus.publish(playersObserved, seen('EmberFox')),
    ]);
    await settled();
    const facts = await store.outbox.pending(20);
    const pasts = (name: string) =>
      facts.filter(({ data }) => JSON.stringify(data).includes(name)).map((fact) => fact.past);
    expect([pasts('Wren'), pasts('EmberFox')]).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('batches small waiting messages and commits large ones separately', async () => {
    const { bus, settled, steps, store } = await consuming();
    const createLargeMessage = (part: number) =>
      seen(...Array.from({ length: 600 }, (_, index) => `user ${part} ${index}`));
    await Promise.all(['A', 'B', 'C'].map((name) => bus.publish(playersObserved, seen(name))));
    await settled();
    expect(await store.users.revision()).toBe(NOON * 1000 + steps.length - 1);
    expect(steps.reduce((sum, { changed }) => sum + changed, 0)).toBe(3);
    const before = steps.length;
    await Promise.all([1, 2, 3].map((part) => bus.publish(playersObserved, createLargeMessage(part))));
    await settled();
    expect(steps.slice(before).map(({ changed }) => changed)).toEqual([600, 600, 600]);
  });

  it('counts refused slots and applies the rest of the message', async () => {
    const { publish, steps, user } = await consuming();
    const ahead = { ...identity, ...game, username: 'Ahead', isOnline: true, lastSeenAt: formatInstant(NOON + 900) };
    await publish(playersObserved, { seenAt: NOW, players: [ahead, ...seen('EmberFox').players] });
    expect(steps).toEqual([{ changed: 1, slots: 1, unlocks: 0, refused: 1, refusedUsers: 0 }]);
    expect(await user()).toBeDefined();
  });

  it('retries messages after the store was unavailable', async () => {
    const observed = openUsers(rules);
    let failures = 2;
    const userCatalog = createCatalog(
      {
        ...observed.store.users,
        commit: async (commit) => {
          failures -= 1;
          if (failures >= 0) throw new AppError('unavailable', 'The disk is full');
          return observed.store.users.commit(commit);
        },
      },
      rules,
    );
    const { publish, user } = await consuming({ observed, people: userCatalog });
    await publish(playersObserved, seen('EmberFox'));
    expect(failures).toBeLessThan(0);
    expect(await user()).toMatchObject({ titles: [{ minutes: 5 }] });
  });
});
