import { randomUUID } from 'node:crypto';
import { testServers } from '@lobbystats/test-kit';
import { analystTokens } from '@lobbystats/cli/analyst-tokens';
import { run as runCommand } from '@lobbystats/cli/run-captured';
import { management, createTestBuckets, type TestBuckets } from '@lobbystats/series-api/influx-buckets';

const { url, token: adminToken, org } = testServers().influxdb;

describe('analyst token', () => {
  let own: TestBuckets;
  let others: TestBuckets;
  let token: string;
  const tokens = () => analystTokens({ url, adminToken, org, buckets: Object.values(own.buckets) });
  // With the buckets' mark in it, so that what is left goes with them.
  const name = () => `ada.${own.buckets.daily}`;

  beforeAll(async () => {
    [own, others] = [await createTestBuckets(), await createTestBuckets()];
    for (const testBuckets of [own, others]) await write(testBuckets.token, testBuckets.buckets.daily);
    token = await tokens().create(name());
  });
  afterAll(async () => {
    await own.remove();
    await others.remove();
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Token ${token}`, 'content-type': 'application/json' } });
  const influxQl = async (bucket: string, q = 'SELECT count(known) FROM title_info') =>
    (await ask(`/query?${new URLSearchParams({ db: bucket, q }).toString()}`)).text();
  const flux = (query: string) =>
    ask(`/api/v2/query?org=${org}`, { method: 'POST', body: JSON.stringify({ query, type: 'flux' }) });
  const written = async () => influxQl(own.buckets.daily, 'SELECT known FROM title_info');

  it('reads both buckets by InfluxQL, without a DBRP mapping of its own', async () => {
    expect(await influxQl(own.buckets.daily)).toMatch(/"values":\[\["[^"]+",1\]\]/);
    expect(await influxQl(own.buckets.snapshots)).toContain('"statement_id":0}');
    expect(await influxQl(own.buckets.daily, 'SHOW FIELD KEYS FROM title_info')).toContain('known');
  });

  it('reads both buckets by Flux', async () => {
    const answer = await flux(`from(bucket: "${own.buckets.daily}") |> range(start: 0)`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('title_info')]);
  });

  it('is refused writes by both APIs, InfluxQL INTO and Flux to()', async () => {
    const before = await written();
    const { daily } = own.buckets;
    expect((await write(token, daily)).status).toBe(403);
    expect((await ask(`/write?db=${daily}`, { method: 'POST', body: 'title_info known=false 1' })).status).toBe(403);
    const copied = await flux(`from(bucket: "${daily}") |> range(start: 0) |> to(bucket: "${daily}", org: "${org}")`);
    expect(await copied.text()).toMatch(/unauthorized|forbidden|could not find org/);
    expect(await influxQl(daily, `SELECT known INTO copied FROM title_info`)).toContain('error');
    expect(await written()).toBe(before);
    expect(await influxQl(daily, 'SHOW MEASUREMENTS')).not.toContain('copied');
  });

  it('is refused deletes by API and InfluxQL', async () => {
    const before = await written();
    const { daily } = own.buckets;
    const all = JSON.stringify({ start: '1970-01-01T00:00:00Z', stop: '2100-01-01T00:00:00Z' });
    const deletion = await ask(`/api/v2/delete?org=${org}&bucket=${daily}`, { method: 'POST', body: all });
    expect(deletion.status).toBe(403);
    for (const statement of ['DELETE FROM title_info', 'DROP MEASUREMENT title_info', `DROP DATABASE "${daily}"`]) {
      await ask('/query', { method: 'POST', body: new URLSearchParams({ db: daily, q: statement }) });
      await influxQl(daily, statement);
    }
    expect(await written()).toBe(before);
  });

  it('is listed by its unique name, never printed again, and useless once revoked', async () => {
    const another = `grace.${own.buckets.daily}`;
    const second = await tokens().create(another);
    const listed = (await tokens().list()).filter((one) => one.name.endsWith(own.buckets.daily));
    expect(listed.map((one) => one.name)).toEqual([name(), another]);
    expect(listed.every(({ createdAt }) => Date.parse(createdAt) > 0)).toBe(true);
    expect(JSON.stringify(listed)).not.toContain(second);
    await expect(tokens().create(another)).rejects.toThrow(/already has a token; --revoke/);
    await tokens().revoke(another);
    await expect(tokens().revoke(another)).rejects.toThrow(/has no token/);
    const revokedResponse = await fetch(`${url}/query?db=${own.buckets.daily}&q=SHOW+MEASUREMENTS`, {
      headers: { authorization: `Token ${second}` },
    });
    expect(revokedResponse.status).toBe(401);
    expect(await influxQl(own.buckets.daily)).toContain('values');
  });
});

describe('lobbystats analyst-token', () => {
  const env = { INFLUXDB_URL: url, INFLUXDB_ADMIN_TOKEN: adminToken, INFLUXDB_ORG: org };
  const run = (args: string[], changes: Record<string, string> = {}) =>
    runCommand(['analyst-token', ...args], { ...env, ...changes });

  it('creates a token for the buckets of the deployment, lists and revokes it', async () => {
    const organisation = `analysts-${randomUUID().slice(0, 8)}`;
    const { id: orgID } = (await management('POST', '/api/v2/orgs', { name: organisation })) as Bucket;
    for (const name of ['snapshots', 'daily']) {
      expect(await run(['--name', 'ada'], { INFLUXDB_ORG: organisation })).toMatchObject({
        code: 1,
        error: expect.stringContaining(`no bucket ${name}`),
      });
      await management('POST', '/api/v2/buckets', { orgID, name, retentionRules: [] });
    }
    const here = { INFLUXDB_ORG: organisation };
    const createResult = await run(['--name', 'ada'], here);
    expect([createResult.code, createResult.out]).toEqual([0, expect.stringMatching(/^[\w=-]{60,}\n$/)]);
    const listed = await run(['--list'], here);
    expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(/^ada +20/)]);
    expect(listed.out).not.toContain(createResult.out.trim());
    expect((await run(['--revoke', 'ada'], here)).out).toBe('The token of ada is gone.\n');
    expect((await run(['--list'], here)).out).toBe('No analyst has a token.\n');
    await management('DELETE', `/api/v2/orgs/${orgID}`);
  });

  it.each([
    [[], 2, /Usage: lobbystats analyst-token/],
    [['--help'], 0, /Usage: lobbystats analyst-token/],
    [['--name'], 2, /--help/],
    [['--name', ''], 2, /a name has/],
    [['--name', 'two words'], 2, /a name has/],
    [['--list', '--revoke', 'ada'], 2, /only one/],
    [['ada'], 2, /--help/],
  ])('prints usage or the error for the arguments %j', async (args, code, words) => {
    const ran = await run(args);
    expect(ran.code).toBe(code);
    expect(ran.out + ran.error).toMatch(words);
  });

  it('explains server and admin token errors without printing the token', async () => {
    const refused = await run(['--list'], { INFLUXDB_ADMIN_TOKEN: 'another-one' });
    expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/doesn't know the admin token/) });
    expect(refused.error).not.toContain('another-one');
    expect((await run(['--list'], { INFLUXDB_ORG: 'nobodys' })).error).toMatch(/no organisation "nobodys"/);
    expect((await run(['--list'], { INFLUXDB_URL: 'http://127.0.0.1:9' })).error).toMatch(
      /127.0.0.1:9 can't be reached/,
    );
    expect((await run(['--list'], { INFLUXDB_ADMIN_TOKEN: '' })).error).toMatch(/INFLUXDB_ADMIN_TOKEN must be set/);
  });
});

interface Bucket {
  id: string;
  orgID: string;
}

function write(token: string, bucket: string): Promise<Response> {
  const body = 'title_info,titleId=4d530064 known=true 0';
  const path = `/api/v2/write?org=${org}&bucket=${bucket}`;
  return fetch(url + path, { method: 'POST', body, headers: { authorization: `Token ${token}` } });
}
