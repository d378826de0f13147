import { playtimeCredited } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { UserDatabase } from '../src/user-database.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { messageHistories, readState, readUnlocks } from './message-histories.ts';
import { createCatalog, NOON, playMessage, poll, RACING, sighting, SLOT, spans, TENNIS } from './observed-users.ts';

const definitions = definitionsOf([
  definition(1, { rule: { kind: 'play-minutes', minutes: 15 } }),
  definition(2, { rule: { kind: 'play-minutes', minutes: 25 } }),
  definition(3, { rule: { kind: 'play-minutes-in-title', titleId: TENNIS, minutes: 10 } }),
  definition(9, { rule: { kind: 'sessions-hosted', count: 2 } }),
]);

/** Contract of the withdrawal of play time in every store. `open` returns an empty store each time. */
export function describePlayWithdrawal(adapter: string, open: () => Promise<UserDatabase>, numRuns: number): void {
  describe(`withdrawing slots of play from ${adapter}`, () => {
    const first = NOON - 6 * SLOT;
    const played = playMessage(spans({ from: first, slots: 3 }, { titleId: TENNIS, from: first + 3 * SLOT, slots: 3 }));
    const range = { from: first + 3 * SLOT, to: first + 4 * SLOT, at: NOON };
    const withCatalog = async <Result>(
      work: (catalog: ReturnType<typeof createCatalog>, database: UserDatabase) => Promise<Result>,
    ) => {
      const database = await open();
      return work(createCatalog(database.users, definitions), database).finally(() => database.close());
    };
    const stateOf = async (database: UserDatabase) => {
      const user = (await database.users.users(['emberfox'])).get('emberfox');
      const unlocks = await database.users.unlocksOf('emberfox');
      return { user, times: unlocks.map(({ achievementId, unlockedAt }) => [achievementId, unlockedAt]).sort() };
    };

    it('takes minutes, moves unlocks to when they are earned then, and takes those that are not', () =>
      withCatalog(async (catalog, database) => {
        await catalog.applyPlayTime([played], true);
        await catalog.withdrawSlots({ from: first, to: first, at: NOON });
        expect(await stateOf(database)).toMatchObject({
          user: { unlocked: [1, 2, 3], titles: [{ minutes: 10 }, { minutes: 15 }] },
          times: [
            [1, first + 3 * SLOT],
            [2, first + 5 * SLOT],
            [3, first + 4 * SLOT],
          ],
        });
        await catalog.withdrawSlots(range);
        const titles = [
          { titleId: RACING, minutes: 10, lastPlayedAt: first + 2 * SLOT },
          { titleId: TENNIS, minutes: 5, lastPlayedAt: first + 5 * SLOT },
        ];
        const after = await stateOf(database);
        expect(after).toMatchObject({ user: { titles, unlocked: [1], score: 10 }, times: [[1, first + 5 * SLOT]] });
        const facts = (await database.outbox.pending(100)).filter(({ type }) => type === playtimeCredited.key);
        expect(facts.at(-1)?.data).toMatchObject({ users: [{ username: 'EmberFox', totalMinutes: 15 }] });
        await catalog.withdrawSlots(range);
        await catalog.applyPlayTime([played], true);
        expect(await stateOf(database)).toEqual(after);
      }));

    it('lets no late copy of a sighting return', () =>
      withCatalog(async (catalog, database) => {
        await catalog.applyPlayTime([played], true);
        await catalog.withdrawSlots(range);
        const late = sighting({ titleId: TENNIS, lastSeenAt: range.from, isOnline: true });
        await catalog.applyPresence([poll(late)], true);
        expect((await stateOf(database)).user?.titles).toMatchObject([{ minutes: 15 }, { minutes: 5 }]);
      }));

    it('leaves no other unlocks and times than if the slots had never been earned', async () => {
      const withdrawn = { from: NOON - 60 * SLOT, to: NOON - 20 * SLOT, at: NOON };
      const read = async (database: UserDatabase) => {
        const { playDays, people } = (await readState(database)) as {
          playDays: { titles: unknown[] }[];
          people: object[];
        };
        const titles = people.map(({ key, titles: own }: { key?: string; titles?: object[] }) => ({
          key,
          titles: own?.map((title) => ({ ...title, lastPlayedAt: undefined })),
        }));
        return {
          playDays: playDays.filter((day) => day.titles.length > 0),
          titles,
          unlocks: await readUnlocks(database),
        };
      };
      await fc.assert(
        fc.asyncProperty(messageHistories({ gamertags: 'fixed' }), async (messages) => {
          const after: unknown[] = [];
          const before: unknown[] = [];
          for (const [isFirst, results] of [
            [true, before],
            [false, after],
          ] as const) {
            await withCatalog(async (catalog, database) => {
              if (isFirst) await catalog.withdrawSlots(withdrawn);
              for (const deliver of messages) await deliver(catalog);
              if (!isFirst) await catalog.withdrawSlots(withdrawn);
              results.push(await read(database));
            });
          }
          expect(after).toEqual(before);
        }),
        { numRuns },
      );
    });

    it('counts no session whose end was retracted', () =>
      withCatalog(async (catalog, database) => {
        await catalog.applyPresence([poll(sighting())], false);
        const ended = (endedAt: number, isRetracted = false) => ({ host: 'Ember Fox', endedAt, isRetracted });
        const apply = (...matches: ReturnType<typeof ended>[]) => catalog.applyMatches([{ at: NOON, matches }], true);
        await apply(ended(first), ended(first + SLOT));
        expect((await stateOf(database)).user?.unlocked).toEqual([9]);
        const moved = [ended(first, true), ended(first + 2 * SLOT)];
        await apply(...moved);
        await apply(...moved);
        expect((await stateOf(database)).times).toEqual([[9, first + 2 * SLOT]]);
        await apply(ended(first + SLOT, true));
        expect(await stateOf(database)).toMatchObject({ user: { unlocked: [], score: 0 }, times: [] });
        expect((await database.users.players(['ember fox'])).get('ember fox')?.hosted).toBe(1);
      }));
  });
}
