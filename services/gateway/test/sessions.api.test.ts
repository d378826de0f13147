import { operations } from '@lobbystats/contracts';
import { createLogger } from '@lobbystats/service-kit';
import { FOX, SESSION, UNVERIFIABLE_KEY } from './user-responses.ts';
import { runGateway, startRawUpstream, type RunningGateway } from './running-gateway.ts';

const UPDATE = operations.updateProfile.path;
const reputationOf = (username: string) => operations.getReputation.path.replace(':username', username);
const RATE = reputationOf(FOX);

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

beforeEach(() => {
  for (const { requests } of [gateway.users, gateway.reputation]) requests.length = 0;
});

const key = (value: string) => ({ 'X-Session-Key': value });

describe('read with a session key', () => {
  const inQuery = (sessionKey: string) => `?feedbackLimit=3&sessionKey=${encodeURIComponent(sessionKey)}`;

  it.each([
    ['the header', RATE, key(SESSION.key)],
    ['the query', RATE + inQuery(SESSION.key), {}],
    ['the query, decoded once', `${RATE}?session%4bey=${encodeURIComponent(SESSION.key)}`, {}],
    ['the query, beside an empty header', RATE + inQuery(SESSION.key), key('')],
    ['the header rather than the query', RATE + inQuery('bad'), key(SESSION.key)],
  ])('takes the key from %s, and is answered with private, no-store', async (_where, path, headers) => {
    const answer = await gateway.request(path, { headers: { ...headers, 'If-None-Match': '*' } });
    expect(answer).toMatchObject({ status: 200, body: { viewer: { comment: SESSION.username } } });
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-store',
      vary: 'Accept-Encoding, X-Session-Key',
    });
    expect([answer.headers.etag, answer.headers['last-modified']]).toEqual([undefined, undefined]);
    const [seen] = gateway.reputation.requests;
    expect(seen?.url).toMatch(/^[^?]+\?feedbackLimit=(3|12)$/);
    expect(seen?.headers['x-session-key']).toBe(SESSION.key);
  });

  it.each([
    ['a bad key', RATE, key('bad'), 'bad'],
    ['a key that nobody can tell of', RATE, key(UNVERIFIABLE_KEY), UNVERIFIABLE_KEY],
    ['a key that is none', RATE, key('x'.repeat(5000)), undefined],
    ['two keys', `${RATE}?sessionKey=a&sessionKey=${encodeURIComponent(SESSION.key)}`, {}, undefined],
    ['a malformed key', `${RATE}?sessionKey=%FF`, {}, undefined],
    ['a key that is no header', `${RATE}?sessionKey=a%0d%0aX-Other:%201`, {}, undefined],
    ['a key that asks', `${RATE}?sessionKey=${encodeURIComponent('{"$gt":""}')}`, {}, '{"$gt":""}'],
    ['a bad key in the header', RATE + inQuery(SESSION.key), key('bad'), 'bad'],
  ])('is answered anonymously for %s', async (_what, path, headers, passed) => {
    const answer = await gateway.request(path, { headers });
    expect(answer).toMatchObject({ status: 200, body: { viewer: null } });
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(gateway.reputation.requests[0]?.headers['x-session-key']).toBe(passed);
  });

  it.each([`?sessionKey`, '?sessionKey=', '?sessionkey=x', '?sessionKey[]=x', ''])(
    'is public when there is no key: %s',
    async (query) => {
      const { status, headers, body } = await gateway.request(RATE + query, { headers: key('') });
      expect([status, body]).toMatchObject([200, { viewer: null }]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=0, must-revalidate',
        vary: 'Accept-Encoding, X-Session-Key',
        etag: expect.any(String),
      });
      const again = await gateway.request(RATE + query, { headers: { 'If-None-Match': headers.etag } });
      expect([again.status, again.headers.vary]).toEqual([304, headers.vary]);
      expect(gateway.reputation.requests[0]?.headers).not.toHaveProperty('x-session-key');
    },
  );

  it('is still rejected for an invalid query or username', async () => {
    const limited = await gateway.request(`${RATE}?feedbackLimit=31`, { headers: key(SESSION.key) });
    expect(limited).toMatchObject({ status: 400, body: { error: 'feedbackLimit must be an integer from 1 to 30' } });
    const error = 'username must be 1 to 32 letters, digits, spaces or . _ -';
    expect(await gateway.request(reputationOf('%24gt'))).toMatchObject({ status: 400, body: { error } });
    expect(await gateway.request(reputationOf('nobody'))).toMatchObject({
      status: 404,
      body: { error: 'Unknown username' },
    });
  });
});

describe('session key', () => {
  it('never appears in a log line, whatever the outcome of the request', async () => {
    const printed: string[] = [];
    const write = (line: string) => printed.push(line);
    const logger = createLogger({ service: 'gateway', level: 'debug', format: 'json', write });
    const REPUTATION_API_URL = await startRawUpstream((req, res) => {
      const echo = JSON.stringify({ error: `no ${String(req.headers['x-session-key'])}` });
      res.writeHead(500, { 'Content-Type': 'application/json' }).end(echo);
    });
    const other = await runGateway({ env: { REPUTATION_API_URL }, overrides: { logger } });
    for (const secret of [SESSION.key, 'k3y-bad', UNVERIFIABLE_KEY]) {
      const asJson = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ sessionKey: secret, x: 1 });
      for (const path of [RATE, UPDATE]) {
        await other.request(path, { method: 'POST', headers: asJson, body });
        await other.request(path, { method: 'POST', headers: { ...asJson, ...key(secret) }, body: '{' });
        await other.request(`${path}?sessionKey=${encodeURIComponent(secret)}`, { headers: key(secret) });
      }
    }
    expect(printed.length).toBeGreaterThan(15);
    expect(printed.join('')).not.toContain('k3y');
  });
});
