import { eventually } from '@lobbystats/test-kit';
import { killDuringWrites } from '@lobbystats/test-kit/kill-during-writes';
import { startMongod, type TestMongod } from '@lobbystats/test-kit/test-mongod';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { runReputation } from './running-reputation.ts';

let server: TestMongod;
beforeAll(async () => {
  server = await startMongod();
});
afterAll(() => server.remove());

const WRITERS = [0, 1, 2, 3];
const RATERS_EACH = 200;
type Replica = Awaited<ReturnType<typeof runReputation>>;

async function totals(api: Replica) {
  const { status, body } = await api.read('EmberFox');
  expect(status).toBe(200);
  return { ratingCount: body.ratingCount, average: body.average };
}

/** Returns the stars by rater, for raters with a rating. */
async function starsByRater(api: Replica): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const writer of WRITERS) {
    for (let count = 0; count < RATERS_EACH; count += 1) {
      const rater = `w${writer}-${count}`;
      const { viewer } = (await api.read('EmberFox', { as: rater, limit: 1 })).body;
      if (viewer !== null) found.set(rater, viewer.stars);
    }
  }
  return found;
}

/** Includes the prior of ten votes of five stars. */
function averageOf(ratingCount: number, stars: number): number {
  return Math.round(((50 + stars) / (10 + ratingCount)) * 100) / 100;
}

describe('ratings while MongoDB is killed', () => {
  it('contain each acknowledged rating once, and all counters are correct', async () => {
    const { url } = await prepareRatingsDatabase('ratings', server.url);
    const env = { DATABASE_URL: url };
    const replicas = await Promise.all([runReputation({ env }), runReputation({ env })]);
    const [api, other] = replicas;
    await api.announceUsers({ EmberFox: '' });

    const acknowledged = new Map<string, number>();
    const writerOf = (replica: typeof api, writer: number) => {
      let count = 0;
      return async () => {
        const rater = `w${writer}-${count % RATERS_EACH}`;
        const stars = 1 + (count % 5);
        count += 1;
        const { status } = await replica.rate(rater, 'EmberFox', stars);
        expect([200, 503]).toContain(status);
        // An unacknowledged rating may be stored as well, so the stored value is uncertain.
        if (status === 200) acknowledged.set(rater, stars);
        else acknowledged.delete(rater);
      };
    };
    const writers = WRITERS.map((writer) => writerOf(writer % 2 ? other : api, writer));
    await killDuringWrites(server, { writers, acknowledged: () => acknowledged.size, minBetweenKills: 20 });
    // Unacknowledged ratings may be stored while the totals are read.
    await eventually(async () => {
      const before = await totals(api);
      const stars = await starsByRater(api);
      expect(await totals(api)).toEqual(before);
      const found = [...acknowledged.keys()].map((rater): [string, number | undefined] => [rater, stars.get(rater)]);
      expect(found).toEqual([...acknowledged]);
      const sum = [...stars.values()].reduce((total, each) => total + each, 0);
      expect(before).toEqual({ ratingCount: stars.size, average: averageOf(stars.size, sum) });
    });
  });
});
