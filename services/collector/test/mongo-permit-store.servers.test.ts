import fc from 'fast-check';
import { openMongoStore, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { collectorSchema } from '../src/admin.ts';
import { createMongoPermitStore } from '../src/network/permit-store.mongo.ts';
import { prepareCollectorDatabase } from './collector-database.ts';
import { memoryPermitStore } from './memory-permit-store.ts';
import { permitStoreContract } from './permit-store.contract.ts';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let store: MongoStore;
beforeAll(async () => {
  database = await prepareCollectorDatabase('test_permits');
  store = await openMongoStore({ url: database.url, origin: 'simulated', schema: collectorSchema });
});
afterAll(async () => {
  await store.close();
  await database.clear();
});

async function open(serverMs?: () => number) {
  await store.collection('request_rate').deleteMany({});
  return createMongoPermitStore(store, serverMs && (() => ({ $literal: serverMs() })));
}

describe('permits in MongoDB', () => {
  permitStoreContract(open, 15);

  it('equal those of the reference, whenever the clock is set', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(2000) }),
      fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -DAY_MS, max: DAY_MS }) }),
      fc.record({ kind: fc.constant('quiet' as const), ms: fc.integer({ min: 1, max: 3000 }) }),
      fc.record({ kind: fc.constant('reserve' as const), ms: fc.integer({ min: 1, max: 50 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        let nowMs = NOW;
        const stored = await open(() => nowMs);
        const reference = memoryPermitStore(() => nowMs);
        for (const { kind, ms } of steps) {
          if (kind === 'wait' || kind === 'set') nowMs += ms;
          if (kind === 'quiet') await Promise.all([stored, reference].map((permits) => permits.announceQuiet(ms)));
          const [actual, expected] =
            kind === 'reserve'
              ? await Promise.all([stored, reference].map((permits) => permits.reserve(ms, 50)))
              : [{}, {}];
          expect(actual).toMatchObject(expected);
          expect(await stored.look()).toEqual(await reference.look());
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are granted to eight replicas at once without overlap', async () => {
    await open();
    const replicas = Array.from({ length: 8 }, () => createMongoPermitStore(store));
    const granted = await Promise.all([...replicas, ...replicas].map((replica) => replica.reserve(5, 10)));
    const starts = granted.map(({ startMs }) => startMs).sort((one, other) => one - other);
    for (const [index, start] of starts.entries()) {
      expect(start - (starts[index - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(49.9);
    }
  });
});
