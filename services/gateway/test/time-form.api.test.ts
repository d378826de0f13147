import { allOperations, operations } from '@lobbystats/contracts';
import { runGateway, type RunningGateway } from './running-gateway.ts';
import { fillPath, json, sampleRequest } from './sample-request.ts';
import { FOX, SESSION } from './user-responses.ts';

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;
const { getLeaderboard, getMatchHistory, getOnlineSeries, getProfile, rateProfile, searchByPlayers, searchByTime } =
  operations;
const SERIES = getOnlineSeries.path;

const operationsWithTime = allOperations.filter(
  ({ audience, query, method }) => audience === 'public' && 'time' in query.shape && method === 'GET',
);

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', env: { CACHE_BYTES: String(1024 ** 2) } });
});

/** The stub upstreams have no other texts of that form. */
const withIsoTimes = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? value.replace(TIMESTAMP, '$1T$2Z') : value));

const withTime = (path: string) => `${path}${path.includes('?') ? '&' : '?'}time=iso`;

describe('time=iso', () => {
  it.each(operationsWithTime.filter(({ id }) => id !== searchByTime.id))(
    'gives every timestamp of $id in ISO 8601, and the plain response keeps its bytes',
    async (operation) => {
      const [path, options] = sampleRequest(operation);
      const plain = await gateway.request(path, options);
      const iso = await gateway.request(withTime(path), options);
      const again = await gateway.request(path, options);
      expect(plain.status).toBe(200);
      expect([iso.status, iso.body]).toEqual([200, withIsoTimes(plain.text)]);
      expect([again.text, again.headers.etag]).toEqual([plain.text, plain.headers.etag]);
      // A user's own data have no tag.
      const hasTag = operation.session !== 'required';
      expect(iso.headers.etag !== plain.headers.etag).toBe(hasTag && iso.text !== plain.text);
    },
  );

  it('is stored in the cache beside the plain response', async () => {
    const known = await runGateway({ env: { CACHE_BYTES: String(1024 ** 2) } });
    const texts = [];
    for (const path of [SERIES, withTime(SERIES), SERIES, withTime(SERIES)]) {
      const { text, headers } = await known.request(path);
      texts.push([text.includes('T08:00:00Z'), String(headers['cache-status']).includes('hit')]);
    }
    expect(texts).toEqual([
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ]);
  });

  it('applies to CSV and NDJSON', async () => {
    const csv = await gateway.request(`${SERIES}?format=csv&time=iso`);
    expect(csv.text).toBe('recorded_at,online_count\r\n2027-01-15T08:00:00Z,41\r\n');
    const ndjson = await gateway.request(`${SERIES}?format=ndjson&time=iso`);
    expect(ndjson.text).toBe('{"recorded_at":"2027-01-15T08:00:00Z","online_count":41}\n');
  });

  it('stays in the link to the next page', async () => {
    const { headers } = await gateway.request(withTime(`${fillPath(getMatchHistory.path)}?limit=10`));
    expect(headers['link']).toContain('time=iso');
  });

  it('applies to the response to a write, and leaves the texts of users as they are', async () => {
    const comment = '"createdAt":"2026-01-31 18:05:00"';
    const path = withTime(rateProfile.path.replace(':username', FOX));
    const rating = { method: 'POST', ...json({ sessionKey: SESSION.key, stars: 4, comment }) } as const;
    const { status, body } = await gateway.request(path, rating);
    expect([status, body]).toMatchObject([200, { viewer: { comment, createdAt: '2027-01-15T08:00:00Z' } }]);
  });

  it.each([operations.getMe, operations.exportMe])('is rejected after the session in $id', async ({ path }) => {
    const read = (time: string, key: string) =>
      gateway.request(`${path}?time=${time}`, { headers: { 'X-Session-Key': key } });
    expect(await read('utc', 'other')).toMatchObject({ status: 401 });
    for (const time of ['utc', 'iso&time=iso']) {
      expect(await read(time, SESSION.key)).toMatchObject({ status: 400, body: { error: 'time must be iso' } });
    }
  });

  it('is rejected after the session in a write', async () => {
    const path = `${rateProfile.path.replace(':username', FOX)}?time=utc`;
    const rate = (sessionKey: string) => gateway.request(path, { method: 'POST', ...json({ sessionKey, stars: 4 }) });
    expect(await rate('other')).toMatchObject({ status: 401 });
    expect(await rate(SESSION.key)).toMatchObject({ status: 400, body: { error: 'time must be iso' } });
  });

  it.each(['utc', '', 'ISO', 'iso&time=iso', '%00', '__proto__', "'", '%E2%80%AE'])(
    'with another value (%j) is rejected with 400',
    async (value) => {
      for (const path of [SERIES, fillPath(getLeaderboard.path), fillPath(getProfile.path)]) {
        const { status, body } = await gateway.request(`${path}?time=${value}`);
        expect([path, status, body]).toEqual([path, 400, { error: 'time must be iso' }]);
      }
    },
  );

  it('is not known to searches, where that parameter is the time searched for', async () => {
    const { status, body } = await gateway.request(`${searchByTime.path}?time=iso`);
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/^time must be a time of the form/) }]);
    expect(await gateway.request(`${searchByPlayers.path}?names=fox&time=0:49`)).toMatchObject({ status: 200 });
  });
});
