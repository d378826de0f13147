import { StartupError } from '@lobbystats/contracts/errors';
import { testServers } from '@lobbystats/test-kit';
import { BUCKET_RULES } from '../src/administration/buckets.ts';
import { openInfluxSeriesStore } from '../src/open-store.ts';
import { provisionInflux } from '../src/administration/provision.influx.ts';
import { commitSlots } from './commit-slots.ts';
import { UNLIMITED_RETENTION, management, createTestBuckets, type TestBuckets } from '../testing/influx-buckets.ts';
import { DAY, HARBOR, NOW, SLOT } from './observations.ts';

interface BucketList {
  buckets: { retentionRules: { everySeconds: number; shardGroupDurationSeconds: number }[] }[];
}

describe('InfluxDB provisioning', () => {
  let testBuckets: TestBuckets;
  beforeEach(async () => {
    testBuckets = await createTestBuckets(BUCKET_RULES);
  });
  afterEach(async () => {
    await testBuckets.remove();
  });

  const again = async (token?: string, rules = BUCKET_RULES) => {
    const lines: string[] = [];
    const { url, token: adminToken, org } = testServers().influxdb;
    const { buckets } = testBuckets;
    const log = (line: string) => lines.push(line);
    return { ...(await provisionInflux({ url, adminToken, org, token, buckets, rules, log })), lines };
  };
  const rulesOf = async (name: string) => {
    const { buckets } = (await management('GET', `/api/v2/buckets?name=${name}`)) as BucketList;
    return buckets[0]?.retentionRules[0];
  };

  it('creates a snapshot bucket with 30 days of retention and a daily bucket without limit', async () => {
    expect(await rulesOf(testBuckets.buckets.snapshots)).toMatchObject({
      everySeconds: 30 * DAY,
      shardGroupDurationSeconds: DAY,
    });
    expect(await rulesOf(testBuckets.buckets.daily)).toMatchObject({ everySeconds: 0 });
  });

  it('changes nothing when it runs a second time', async () => {
    expect(await again(testBuckets.token)).toEqual({ token: testBuckets.token, lines: [] });
  });

  it('corrects a wrong retention, with which the service refuses to start', async () => {
    await again(testBuckets.token, UNLIMITED_RETENTION);
    await expect(testBuckets.open({ rules: BUCKET_RULES })).rejects.toThrow(/keeps 0 s, not 2592000 s/);
    const { token, lines } = await again(testBuckets.token);
    expect([token, lines.length]).toEqual([testBuckets.token, 1]);
    expect(await rulesOf(testBuckets.buckets.snapshots)).toMatchObject({ everySeconds: 30 * DAY });
  });

  it('replaces the token when the stored one is not valid', async () => {
    const { token, lines } = await again('of another server');
    expect(token).not.toBe(testBuckets.token);
    expect(lines.join()).not.toContain(token);
    await expect(testBuckets.open()).rejects.toThrow(StartupError);
    const store = await testBuckets.open({ token });
    await store.close();
  });

  it('the token cannot read other buckets', async () => {
    const { url, org } = testServers().influxdb;
    const other = await createTestBuckets();
    const { buckets } = other;
    const options = { url, org, token: testBuckets.token, origin: 'simulated', clock: Date.now, buckets, waitMs: 0 };
    await expect(openInfluxSeriesStore(options)).rejects.toThrow(/no bucket .* that INFLUX_TOKEN can read/);
    await other.remove();
  });

  it('the store writes recent points, drops expired ones, and counts them', async () => {
    const now = Math.floor(Date.now() / 1000 / SLOT) * SLOT;
    let dropped = 0;
    const onExpired = (points: number) => {
      dropped += points;
    };
    const store = await testBuckets.open({ clock: () => now * 1000, onExpired });
    // A store whose clock is behind sends what the server no longer takes.
    const late = await testBuckets.open({ clock: () => (now - 20 * DAY) * 1000 });
    const sketch = { online: 3, titles: { [HARBOR]: { online: 3, matches: { Ada: 1 } } } };
    await commitSlots(store, [
      [now - 40 * DAY, sketch],
      [now, sketch],
    ]);
    await commitSlots(late, [
      [now - 35 * DAY, sketch],
      [now - SLOT, sketch],
    ]);
    const period = { after: 0, until: now };
    expect(dropped).toBe(4);
    expect((await store.siteOnline(period)).map(([slot]) => slot)).toEqual([now - SLOT, now]);
    expect((await store.runsBetween(0, now)).map(({ startedAt }) => startedAt)).toEqual([now - SLOT]);
    expect(await store.purge({ snapshots: now - 30 * DAY, dailies: 0 }, 10)).toBe(false);
    await store.close();
    await late.close();
  });
});

describe('InfluxDB series store', () => {
  let testBuckets: TestBuckets;
  beforeAll(async () => {
    testBuckets = await createTestBuckets();
  });
  afterAll(async () => {
    await testBuckets.remove();
  });

  it('refuses the data of another network and names NETWORK_ORIGIN', async () => {
    await (await testBuckets.open()).close();
    await expect(testBuckets.open({ origin: 'elsewhere' })).rejects.toThrow(/NETWORK_ORIGIN/);
  });

  it('refuses a token without write permission', async () => {
    const { buckets } = (await management('GET', `/api/v2/buckets?limit=100`)) as {
      buckets: { id: string; orgID: string; name: string }[];
    };
    const own = buckets.filter(({ name }) => Object.values(testBuckets.buckets).includes(name));
    const permissions = own.map(({ id, orgID }) => ({ action: 'read', resource: { type: 'buckets', id, orgID } }));
    const { orgID } = own[0]!;
    const description = `${testBuckets.buckets.snapshots} read`;
    const { token } = (await management('POST', '/api/v2/authorizations', { orgID, description, permissions })) as {
      token: string;
    };
    await expect(testBuckets.open({ token })).rejects.toThrow(/can't be written/);
  });

  it('refuses an unknown or malformed token', async () => {
    await expect(testBuckets.open({ token: 'nobodys' })).rejects.toThrow(/doesn't know the token/);
    for (const token of ['', 'two\nlines', 'nobody’s'])
      await expect(testBuckets.open({ token })).rejects.toThrow(StartupError);
  });

  it('names the server that cannot be reached', async () => {
    const away = testBuckets.open({ url: 'http://127.0.0.1:9', waitMs: 10 });
    await expect(away).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('127.0.0.1:9') });
  });

  it('stores host names with quotes, control characters and line protocol syntax', async () => {
    const store = await testBuckets.open();
    const hosts = ['"', '\\', '\\"', 'a,b=c d', 'line\nline', '\r', '#', '', '🏁', '\0', "'; DROP MEASUREMENT x"];
    const matches = Object.fromEntries(hosts.map((host) => [host, 1]));
    await commitSlots(store, [[NOW, { titles: { [HARBOR]: { matches } } }]]);
    const runs = await store.runsBetween(NOW, NOW);
    expect(runs.map(({ host }) => host).toSorted()).toEqual(hosts.toSorted());
    const [lobbies] = await store.lobbiesIn(NOW);
    expect(lobbies?.hosts.toSorted()).toEqual(hosts.toSorted());
    await store.close();
  });
});
