import { eventually } from '@lobbystats/test-kit';
import { killAmidWrites } from '../../../test/stack/kill-amid-writes.ts';
import { ownMongod, type OwnMongod } from '../../../test/stack/own-mongod.ts';
import { mongoRatings } from './mongo-ratings.ts';
import { runReputation } from './running-reputation.ts';

let server: OwnMongod;
beforeAll(async () => {
  server = await ownMongod();
}, 60_000);
afterAll(() => server.remove());

describe('ratings whose MongoDB is killed while they come in', () => {
  it('are there if they were acknowledged, each once, and all counters are right', async () => {
    const { url } = await mongoRatings('ratings', server.url);
    const env = { DATABASE_URL: url };
    const replicas = await Promise.all([runReputation({ env }), runReputation({ env })]);
    const [api, other] = replicas;
    await api.know({ EmberFox: '' });

    const acknowledged = new Map<string, number>();
    const writerOf = (replica: typeof api, writer: number) => {
      let count = 0;
      return async () => {
        const rater = `w${writer}-${count % 200}`;
        const stars = 1 + (count % 5);
        count += 1;
        const { status } = await replica.rate(rater, 'EmberFox', stars);
        expect([200, 503]).toContain(status);
        // One that wasn't acknowledged may be there, too: then it isn't known which one is.
        if (status === 200) acknowledged.set(rater, stars);
        else acknowledged.delete(rater);
      };
    };
    const writers = [0, 1, 2, 3].map((writer) => writerOf(writer % 2 ? other : api, writer));
    await killAmidWrites(server, { writers, acknowledged: () => acknowledged.size, between: 20 });
    await eventually(async () => expect((await api.read('EmberFox')).status).toBe(200), { timeoutMs: 20_000 });

    const { ratingCount, average } = (await api.read('EmberFox')).body;
    expect(ratingCount).toBeGreaterThanOrEqual(acknowledged.size);
    const found = new Map<string, number | undefined>();
    let stars = 0;
    for (let writer = 0; writer < 4; writer += 1) {
      for (let count = 0; count < 200; count += 1) {
        const rater = `w${writer}-${count}`;
        const { viewer } = (await api.read('EmberFox', { as: rater, limit: 1 })).body;
        stars += viewer?.stars ?? 0;
        if (acknowledged.has(rater)) found.set(rater, viewer?.stars);
      }
    }
    expect([...found].sort()).toEqual([...acknowledged].sort());
    expect(average).toBe(Math.round(((50 + stars) / (10 + ratingCount)) * 100) / 100);
  }, 180_000);
});
