import { achievementUnlocked } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { UserDatabase } from '../src/user-database.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { messageHistories, readState, readUnlocks, type MessageDelivery } from './message-histories.ts';
import { createCatalog, NOON, playMessage, poll, RACING, sighting, SLOT, spans, TENNIS } from './observed-users.ts';

const rules = definitionsOf([
  definition(1, { rule: { kind: 'play-minutes', minutes: 60 } }),
  definition(2, { rule: { kind: 'play-minutes', minutes: 300 }, points: 25 }),
  definition(3, { rule: { kind: 'play-minutes-in-title', titleId: TENNIS, minutes: 30 } }),
  definition(4, { rule: { kind: 'titles-played', count: 2 } }),
  definition(5, { rule: { kind: 'leaderboard-rank', rank: 1 } }),
  definition(6, { rule: { kind: 'leaderboard-rank', rank: 2, titleId: RACING } }),
  definition(7, { rule: { kind: 'leaderboards-on', count: 2 } }),
  definition(8, { rule: { kind: 'ratings-given', count: 3 } }),
  definition(9, { rule: { kind: 'sessions-hosted', count: 2 } }),
]);

/** Contract of the times of unlocks on every user store. `open` returns an empty store each time. */
export function describeUnlockTimes(adapter: string, open: () => Promise<UserDatabase>, numRuns: number): void {
  describe(`times of unlocks in ${adapter}`, () => {
    const delivered = async (messages: readonly MessageDelivery[]) => {
      const store = await open();
      const catalog = createCatalog(store.users, rules);
      for (const deliver of messages) await deliver(catalog);
      const result = { state: await readState(store), unlocks: await readUnlocks(store) };
      await store.close();
      return result;
    };

    it('are the same for any order and repetition of messages', async () => {
      const histories = messageHistories({ gamertags: 'fixed' }).chain((messages) =>
        fc.tuple(
          fc.constant(messages),
          fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length * 2 }),
        ),
      );
      await fc.assert(
        fc.asyncProperty(histories, async ([messages, often]) => {
          expect(await delivered(often)).toEqual(await delivered(messages));
        }),
        { numRuns },
      );
    });

    it('move back when earlier slots come, which is no news, and forward when a slot moves to another title', async () => {
      const store = await open();
      const catalog = createCatalog(store.users, rules);
      const timeOf = async (id: number) =>
        (await store.users.unlocksOf('emberfox')).find(({ achievementId }) => achievementId === id)?.unlockedAt;
      for (let slot = -5; slot <= 0; slot += 1) {
        await catalog.applyPresence([poll(sighting({ titleId: TENNIS, lastSeenAt: NOON + slot * SLOT }))], false);
      }
      expect(await timeOf(3)).toBe(NOON);
      const earlier = spans({ titleId: TENNIS, from: NOON - 40 * SLOT, slots: 2 });
      await catalog.applyPlayTime([playMessage(earlier)], true);
      expect(await timeOf(3)).toBe(NOON - 2 * SLOT);
      const other = spans({ titleId: RACING, from: NOON - 40 * SLOT, slots: 1 });
      await catalog.applyPlayTime([playMessage(other)], true);
      expect([await timeOf(3), await timeOf(4)]).toEqual([NOON - SLOT, NOON - 39 * SLOT]);
      const facts = (await store.outbox.pending(100)).filter(({ type }) => type === achievementUnlocked.key);
      expect(facts.map(({ past }) => past)).toEqual([false, true, true]);
      await store.close();
    });

    it('of over an hour ago are no news, also when a live message brings them', async () => {
      const store = await open();
      const catalog = createCatalog(store.users, rules);
      for (const minutes of [70, 50]) {
        const match = { host: 'Ember Fox', endedAt: NOON - minutes * 60 };
        await catalog.applyMatches([{ at: NOON, matches: [match] }], false);
      }
      const ranks = [{ gamertag: 'Ember Fox', titleId: RACING, leaderboardId: 1, rank: 1 }];
      await catalog.applyRanks([{ at: NOON - 3660, revision: 1, ranks }], false);
      await catalog.applyPresence([poll(sighting())], false);
      const facts = (await store.outbox.pending(100)).filter(({ type }) => type === achievementUnlocked.key);
      const idsOf = (isPast: boolean) =>
        facts
          .filter(({ past }) => past === isPast)
          .flatMap(({ data }) => (data as { unlocks: { achievementId: number }[] }).unlocks)
          .map(({ achievementId }) => achievementId);
      expect([idsOf(false), idsOf(true)]).toEqual([[9], [5, 6]]);
      await store.close();
    });
  });
}
