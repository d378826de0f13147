import { AppError } from '@lobbystats/contracts/errors';
import fc from 'fast-check';
import type { UserDatabase } from '../src/user-database.ts';
import { FollowTriggers } from '../src/following/follow-triggers.ts';
import { OwnPresence } from '../src/account/own-presence.ts';
import { createUserRecord } from '../src/profiles/profile-view.ts';
import { definitionsOf } from './achievement-builders.ts';
import { createCatalog, NOON, RACING, SLOT, TENNIS, testNameHash } from './observed-users.ts';
import { put } from './stored-records.ts';

const GAMES = new Map([
  ['Harbor Racing', RACING],
  ['Tennis', TENNIS],
]);

interface Call {
  /** Slots after {@link NOON} by the clock, which may be set back. */
  readonly slot: number;
  readonly replica: number;
  /** null: offline. */
  readonly game: string | null;
}

/** Contract of own presences on every store. `open` returns an empty store each time. */
export function describeOwnPresence(adapter: string, open: () => Promise<UserDatabase>, runs = 20): void {
  const inDatabase = async (calls: readonly Call[]) => {
    const database = await open();
    try {
      return await minutesAfter(database, calls);
    } finally {
      await database.close();
    }
  };

  describe(`own presence in ${adapter}`, () => {
    it('earns each slot once, however often and in whatever order it is asked for', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
          const minutes = await inDatabase(calls);
          const online = calls.filter(({ game }) => game !== null);
          expect(minutes).toBeLessThanOrEqual(5 * new Set(online.map(({ slot }) => slot)).size);
        }),
        { numRuns: runs },
      );
    });

    it('earns every slot in which a caller who asks again and again is in a game', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (states) => {
          const calls = states.flatMap((state, slot) => [0, 1, 0].map((replica) => ({ ...state, replica, slot })));
          expect(await inDatabase(calls)).toBe(5 * states.filter(({ game }) => game !== null).length);
        }),
        { numRuns: runs },
      );
    });
  });
}

const call: fc.Arbitrary<Call> = fc.record({
  slot: fc.integer({ min: 0, max: 6 }),
  replica: fc.integer({ min: 0, max: 1 }),
  game: fc.constantFrom(null, ...GAMES.keys()),
});

/** Minutes of all titles after the calls, which two replicas on one store answer. */
async function minutesAfter(database: UserDatabase, calls: readonly Call[]): Promise<number> {
  await put(database, { users: [createUserRecord('emberfox', 'EmberFox')] });
  let current: Call = { slot: 0, replica: 0, game: null };
  const now = () => NOON + current.slot * SLOT;
  const ask = async () => ({ isOnline: current.game !== null, game: current.game });
  const replicas = [0, 1].map(() => {
    const triggers = new FollowTriggers({
      ...{ store: database.following, users: database.users, nameHash: testNameHash, now, onNews: () => undefined },
    });
    const catalog = createCatalog(database.users, definitionsOf([]), () => now() * 1000);
    const parts = { profiles: database.profiles, catalog, triggers, now, onObserved: () => undefined };
    return { triggers, presence: new OwnPresence(parts) };
  });
  const titles = Array.from(GAMES, ([name, titleId]) => ({ titleId, name }));
  await replicas[0]?.triggers.applyTitles(titles);
  for (const made of calls) {
    current = made;
    await replicas[made.replica]?.presence.of('EmberFox', ask);
  }
  const user = (await database.users.users(['emberfox'])).get('emberfox');
  if (user === undefined) throw new AppError('not-found', 'The user is lost');
  return user.titles.reduce((sum, { minutes }) => sum + minutes, 0);
}
