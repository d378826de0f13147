import { operations } from '@lobbystats/contracts';
import { FOX, GAMERTAG, SESSION, UNVERIFIABLE_KEY } from './user-responses.ts';
import { runGateway, startRawUpstream, UNREACHABLE_URL, type RunningGateway } from './running-gateway.ts';

const { getMe, exportMe, eraseMe, getOwnProfile, listOwnRatings, removeRating, getProfile } = operations;
const RATING = removeRating.path.replace(':username', FOX);

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', env: { CACHE_BYTES: '10000000' } });
});

beforeEach(() => {
  for (const { requests } of [gateway.users, gateway.reputation]) requests.length = 0;
});

const key = (value: string) => ({ 'X-Session-Key': value });

describe('request of a signed-in user without a body', () => {
  const requests = [
    ['GET', getMe.path],
    ['GET', listOwnRatings.path],
    ['GET', exportMe.path],
    ['DELETE', RATING],
    ['DELETE', eraseMe.path],
  ] as const;

  it.each(requests)('is answered with private, no-store, and never from the cache: %s %s', async (method, path) => {
    for (let round = 1; round <= 2; round += 1) {
      const answer = await gateway.request(path, { method, headers: { ...key(SESSION.key), 'If-None-Match': '*' } });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'cache-control': 'private, no-store',
        'access-control-allow-origin': '*',
      });
      expect([answer.headers.etag, answer.headers['last-modified']]).toEqual([undefined, undefined]);
    }
    const seen = [...gateway.users.requests, ...gateway.reputation.requests];
    expect(seen.length).toBeGreaterThanOrEqual(2);
    for (const { url, headers } of seen) {
      expect(url).not.toContain(SESSION.key);
      expect(headers['x-session-key']).toBe(SESSION.key);
    }
  });

  it.each(requests)('is rejected without a valid session: %s %s', async (method, path) => {
    const outcome = async (headers: Record<string, string>, query = '') => {
      const { status, headers: answered, body } = await gateway.request(path + query, { method, headers });
      expect(answered['cache-control']).toBe('no-store');
      return [status, (body as { error: string }).error];
    };
    expect(await outcome({})).toEqual([400, 'sessionKey is required']);
    expect(await outcome({}, `?sessionKey=${encodeURIComponent(SESSION.key)}`)).toEqual([
      400,
      'sessionKey is required',
    ]);
    expect(await outcome(key('bad'))).toEqual([401, 'Invalid session']);
    expect(await outcome(key('x'.repeat(5000)))).toEqual([401, 'Invalid session']);
    expect((await outcome(key(UNVERIFIABLE_KEY)))[0]).toBe(503);
  });

  it('is forwarded with its known query parameters', async () => {
    await gateway.request(`${listOwnRatings.path}?limit=3&x=1&sessionKey=secret`, { headers: key(SESSION.key) });
    await gateway.request(`${eraseMe.path}?confirmation=1.a%20b`, { method: 'DELETE', headers: key(SESSION.key) });
    const repeated = await gateway.request(`${listOwnRatings.path}?limit=3&limit=4`, { headers: key(SESSION.key) });
    expect([repeated.status, repeated.body]).toEqual([400, { error: 'limit must be an integer from 1 to 100' }]);
    expect(gateway.reputation.requests.map(({ url }) => url)).toEqual([
      `${listOwnRatings.path}?limit=3`,
      `${listOwnRatings.path}?limit=3%2C4`,
    ]);
    expect(gateway.users.requests.map(({ url }) => url)).toEqual([`${eraseMe.path}?confirmation=1.a+b`]);
  });

  it('gets the link to the next page', async () => {
    const { headers } = await gateway.request(`${listOwnRatings.path}?limit=3`, { headers: key(SESSION.key) });
    expect(headers['link']).toBe('<?limit=3&offset=3>; rel="next"');
  });
});

describe('own profile', () => {
  it('has the fields of a profile and those that others do not see, in the order of the contract', async () => {
    const { body } = await gateway.request(getMe.path, { headers: key(SESSION.key) });
    expect(Object.keys(body as object)).toEqual(Object.keys(getMe.response.shape));
    expect(body).toMatchObject({ username: SESSION.username, gamertag: GAMERTAG });
    expect(body).not.toHaveProperty('ratingsGiven');
    expect(gateway.users.requests.map(({ url }) => url)).toEqual([getOwnProfile.path]);
  });

  it('is 404 with the reason of user-api for a caller without a profile', async () => {
    const USER_API_URL = await startRawUpstream((_req, res) => {
      res.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"Unknown username"}');
    });
    const other = await runGateway({ env: { USER_API_URL } });
    for (const path of [getMe.path, exportMe.path]) {
      const { status, body } = await other.request(path, { headers: key(SESSION.key) });
      expect([status, body]).toEqual([404, { error: 'Unknown username' }]);
    }
  });
});

describe('export', () => {
  it('combines the parts of both services', async () => {
    const { body } = await gateway.request(exportMe.path, { headers: key(SESSION.key) });
    expect(body).toMatchObject({ user: { username: SESSION.username }, reputation: { given: [], received: [] } });
  });

  it('is 503 while one of both services is down', async () => {
    for (const name of ['USER_API_URL', 'REPUTATION_API_URL']) {
      const other = await runGateway({ env: { [name]: UNREACHABLE_URL } });
      expect((await other.request(exportMe.path, { headers: key(SESSION.key) })).status).toBe(503);
    }
  });
});

describe('profile by gamertag', () => {
  const byGamertag = getProfile.path.replace(':username', encodeURIComponent(GAMERTAG));
  const byUsername = getProfile.path.replace(':username', FOX);

  it('has the bytes of the profile by username and a canonical link to it', async () => {
    const one = await gateway.request(byGamertag);
    const other = await gateway.request(byUsername);
    expect([one.status, one.text, one.headers.etag]).toEqual([200, other.text, other.headers.etag]);
    expect([one.headers['link'], other.headers['link']]).toEqual([`<${byUsername}>; rel="canonical"`, undefined]);
    const upperCase = await gateway.request(getProfile.path.replace(':username', FOX.toUpperCase()));
    expect(upperCase.headers['link']).toBeUndefined();
  });

  it('is not stored, since facts name the user by username', async () => {
    const own = await runGateway({ env: { CACHE_BYTES: '10000000' } });
    expect([(await own.request(byGamertag)).status, (await own.request(byUsername)).status]).toEqual([200, 200]);
    await own.users.stop();
    expect([(await own.request(byGamertag)).status, (await own.request(byUsername)).status]).toEqual([503, 200]);
  });
});
