import { eventually, getJson } from '@lobbystats/test-kit';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { serverDoor, type ServerDoor } from '../../../test/stack/server-door.ts';
import { mongoRatings } from './mongo-ratings.ts';
import { runReputation } from './running-reputation.ts';

/** What the machine may add to the second that an answer may take. */
const SLACK_MS = 300;

describe('reputation-api whose MongoDB is away', () => {
  let ratings: PreparedMongo;
  let door: ServerDoor;
  beforeAll(async () => {
    ratings = await mongoRatings('test_rating_outage');
  });
  beforeEach(async () => {
    await ratings.empty();
    door = await serverDoor(Number(new URL(ratings.url).port));
  });
  afterEach(() => door.close());
  afterAll(() => ratings.empty());

  async function running() {
    const url = new URL(ratings.url);
    url.port = String(door.port);
    const api = await runReputation({ env: { DATABASE_URL: url.href } });
    await api.know({ EmberFox: '' });
    /** All routes at once; what each says, by when. */
    const ask = async () => {
      const begunMs = performance.now();
      const answers = await Promise.all([
        api.rate('Marlow', 'EmberFox', 3),
        api.read('EmberFox'),
        api.read('EmberFox', { as: 'Marlow' }),
      ]);
      return { answers, tookMs: performance.now() - begunMs };
    };
    const expectAway = async () => {
      const { answers, tookMs } = await ask();
      for (const { status, headers, body } of answers) {
        expect([status, body]).toEqual([503, { error: expect.any(String) }]);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
      expect(tookMs).toBeLessThan(1000 + SLACK_MS);
    };
    const expectBack = async () => {
      expect((await ask()).answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    };
    return { api, expectAway, expectBack };
  }

  it('says so within a second while it stands still, and answers when it is back', async () => {
    const { api, expectAway, expectBack } = await running();
    await expectBack();
    door.hold();
    try {
      for (let time = 0; time < 3; time += 1) await expectAway();
      const ready = await getJson(`${api.url}/readyz`);
      expect([ready.status, ready.body]).toMatchObject([503, { dependencies: { store: { status: 'down' } } }]);
    } finally {
      await door.open();
    }
    await eventually(expectBack, { timeoutMs: 15_000 });
  });

  it('says so within a second while it is gone, and answers when it is back', async () => {
    const { expectAway, expectBack } = await running();
    await door.shut();
    for (let time = 0; time < 3; time += 1) await expectAway();
    await door.open();
    await eventually(expectBack, { timeoutMs: 15_000 });
  });
});
