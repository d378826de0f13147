import type { Operation } from '@lobbystats/contracts';
import { Achievements } from '../src/achievements/achievements.ts';
import type { Definition, Definitions } from '../src/definitions/definitions.ts';
import type { UserDatabase } from '../src/user-database.ts';
import type { Unlock } from '../src/users/user-record.ts';
import { definition, definitionsOf, GAME, userRecord } from './achievement-builders.ts';
import { emptyStore, put } from './achievement-stores.ts';

export const NOW = 1_800_000_000;
export const NETWORK = 'https://network.example';

export const plain = definition(1, { name: 'First Hour', points: 10 });
export const hidden = definition(2, { name: 'Night Owl', points: 25, isHidden: true });
export const game = definition(3, { name: 'Sea Legs', points: 50, group: GAME });
export const hiddenGame = definition(4, { name: 'Kraken', points: 100, group: GAME, isHidden: true });
const file = definitionsOf([plain, hidden, game, hiddenGame]);

type Times = Readonly<Record<string, Readonly<Record<number, number>>>>;

interface DefinitionSetup {
  /** Current definitions of the file. */
  definitions?: Definitions;
  /** Definitions removed from the file. */
  removed?: readonly Definition[];
}

/** Stores users with their unlocks and times. */
export async function usersWith(
  unlocked: Times,
  { definitions = file, removed = [] }: DefinitionSetup = {},
): Promise<{ store: UserDatabase; achievements: Achievements }> {
  const store = emptyStore();
  const known = new Map([...definitions.all, ...removed].map((one) => [one.id, one]));
  const pairs = Object.entries(unlocked);
  await put(store.users, {
    definitions: [...known.values()],
    users: pairs.map(([username, times]) => {
      const ids = Object.keys(times).map(Number);
      return userRecord(username, { unlocked: ids, score: ids.reduce((sum, id) => sum + known.get(id)!.points, 0) });
    }),
    unlocks: pairs.flatMap(([username, times]) =>
      Object.entries(times).map(([id, unlockedAt]): Unlock => ({
        userKey: username.toLowerCase(),
        achievementId: Number(id),
        unlockedAt,
      })),
    ),
  });
  return {
    store,
    achievements: new Achievements({ store: store.users, definitions, networkUrl: NETWORK }),
  };
}

/** Checks a response body with the schema of its operation. */
export function expectFits(operation: Pick<Operation, 'response'>, body: unknown): void {
  expect(operation.response.safeParse(body).error).toBeUndefined();
}
