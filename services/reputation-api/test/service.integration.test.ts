import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ratingStored, userStored } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { createMetrics } from '@lobbystats/service-kit';
import { cleanUp, eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { openSqliteReputationStore } from '../src/open-store.ts';
import { reputationApi } from '../src/service.ts';
import { runReputation } from './running-reputation.ts';

const newFile = () => join(temporaryDirectory(), 'reputation.sqlite');

describe('reputation-api', () => {
  it('reports dependencies, network and waiting facts at /readyz', async () => {
    const api = await runReputation();
    const { status, body } = await getJson(`${api.url}/readyz`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ready',
      service: 'reputation-api',
      network: { origin: 'simulated', simulated: true },
      outbox: { waiting: 0 },
      dependencies: { store: { status: 'up' }, bus: { status: 'up' } },
    });
  });

  it('counts ratings, refusals, commits and waiting facts', async () => {
    const metrics = createMetrics('reputation-api');
    const api = await runReputation({ metrics });
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Marlow', 'EmberFox', 5);
    await api.rate('Marlow', 'Nobody', 5);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^lobbystats_ratings_total(\{.*\})? 1$/m);
    expect(text).toMatch(/^lobbystats_ratings_rejected_total(\{.*\})? 1$/m);
    expect(text).toMatch(/^lobbystats_rating_commits_total(\{.*\})? 2$/m);
    expect(text).toMatch(/^lobbystats_outbox_facts(\{.*\})? \d+$/m);
  });

  it('keeps ratings over a restart and then publishes facts left in the outbox', async () => {
    const env = { DATABASE_URL: `sqlite:${newFile()}` };
    const store = openSqliteReputationStore(env.DATABASE_URL, 'simulated');
    // Facts stay in the outbox, as after a kill between commit and publishing.
    const outbox = { ...store.outbox, pending: async () => [] };
    const first = await runReputation({ store: { ...store, outbox } });
    await first.announceUsers({ EmberFox: '' });
    await first.rate('Marlow', 'EmberFox', 1);
    await first.stop();
    await store.close();
    const second = await runReputation({ env });
    expect((await second.read('EmberFox')).body).toMatchObject({ ratingCount: 1, average: 4.64 });
    expect((await second.published(ratingStored, 1))[0]?.data).toMatchObject({ username: 'EmberFox', average: 4.64 });
  });

  it('answers 503 while its store is unavailable and applies waiting messages afterwards', async () => {
    const store = openSqliteReputationStore('sqlite::memory:', 'simulated');
    cleanUp(() => store.close());
    let isAway = true;
    const away = async () => {
      if (isAway) throw new AppError('unavailable', 'The store is not available');
    };
    const api = await runReputation({
      store: {
        ...store,
        change: (...args) => away().then(() => store.change(...args)),
        readProfile: (question) => away().then(() => store.readProfile(question)),
        check: away,
      },
    });
    await api.bus.publish(userStored, { revision: 1, users: [{ username: 'EmberFox', gamertag: '' }] });
    for (const { status, body } of [await api.rate('Marlow', 'EmberFox', 1), await api.read('EmberFox')]) {
      expect([status, body]).toEqual([503, { error: 'The store is not available' }]);
    }
    expect((await getJson(`${api.url}/readyz`)).status).toBe(503);
    isAway = false;
    await eventually(async () => {
      expect((await api.read('EmberFox')).status).toBe(200);
    });
  });

  it('answers 503 when its store hangs', async () => {
    const store = openSqliteReputationStore('sqlite::memory:', 'simulated');
    cleanUp(() => store.close());
    const never = new Promise<never>(() => undefined);
    const api = await runReputation({ store: { ...store, change: () => never, readProfile: () => never } });
    const answers = await Promise.all([api.rate('Marlow', 'EmberFox', 1), api.read('EmberFox')]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });

  it('answers 503 to ratings but serves reads while another process locks the file', async () => {
    const file = newFile();
    const api = await runReputation({ env: { DATABASE_URL: `sqlite:${file}` } });
    await api.announceUsers({ EmberFox: '' });
    const other = new DatabaseSync(file);
    cleanUp(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const refused = await api.rate('Marlow', 'EmberFox', 1);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await api.read('EmberFox')).body.ratingCount).toBe(0);
    other.exec('ROLLBACK');
    expect((await api.rate('Marlow', 'EmberFox', 1)).status).toBe(200);
  });
});

describe('settings of reputation-api', () => {
  it('have defaults for all values', () => {
    expect(reputationApi.readConfig({})).toMatchObject({
      PORT: 8084,
      DATABASE_URL: 'sqlite:./data/reputation.sqlite',
      AUTH_URL: 'http://127.0.0.1:8090',
    });
  });

  it.each([
    ['mysql://name:password@127.0.0.1/ratings', 'http://127.0.0.1', /DATABASE_URL must be sqlite:PATH or a URL/],
    ['sqlite:', 'http://127.0.0.1', /DATABASE_URL must be sqlite:PATH/],
    ['sqlite:x', 'ftp://name:password@127.0.0.1', /AUTH_URL must be a URL that begins with http: or https:/],
  ])('reject DATABASE_URL=%s, AUTH_URL=%s without repeating the value', (DATABASE_URL, AUTH_URL, message) => {
    const read = () => reputationApi.readConfig({ DATABASE_URL, AUTH_URL, PORT: 'x' });
    expect(read).toThrow(message);
    expect(read).toThrow(/PORT must be/);
    expect(read).not.toThrow(/password/);
  });
});
