import { operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { route } from '@lobbystats/service-kit';
import type { TestRequestOptions } from '@lobbystats/test-kit/send-request';
import { FOX, PROFILE, SESSION, UNVERIFIABLE_KEY } from './user-responses.ts';
import { runGateway, startRawUpstream, startStubUpstream, type RunningGateway } from './running-gateway.ts';

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

function post(path: string, body: string, { headers, ...rest }: TestRequestOptions = {}) {
  return gateway.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    ...rest,
  });
}

describe('write with a session key', () => {
  it.each(['POST', 'PATCH'])('is forwarded with its method, key and unchanged bytes: %s', async (method) => {
    const got: { method: string; url: string; key: unknown; type: unknown; body: string }[] = [];
    const USER_API_URL = await startRawUpstream((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const { 'x-session-key': sessionKey, 'content-type': type } = req.headers;
        got.push({ method: req.method!, url: req.url!, key: sessionKey, type, body: Buffer.concat(chunks).toString() });
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.end(JSON.stringify({ success: true, profile: PROFILE }));
      });
    });
    const other = await runGateway({ env: { USER_API_URL } });
    const body = ' {"bio" : "Grüße", "bio":1e0, "x":[ ]} ';
    const headers = { 'Content-Type': 'Application/JSON; charset=x', Cookie: 'a=b', ...key(SESSION.key) };
    const { status } = await other.request(`${UPDATE}?sessionKey=in-query&x=1`, { method, headers, body });
    expect([status, got]).toEqual([200, [{ method, url: UPDATE, key: SESSION.key, type: 'application/json', body }]]);
  });

  it('is answered with private caching headers', async () => {
    const answer = await post(RATE, '{"stars":4}', { headers: { ...key(SESSION.key), 'If-None-Match': '*' } });
    expect(answer).toMatchObject({ status: 200, body: { success: true, viewer: { stars: 4, comment: null } } });
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'access-control-allow-origin': '*' });
    expect([answer.headers.etag, answer.headers['last-modified']]).toEqual([undefined, undefined]);
  });

  it('is forwarded with the username as it was spelled', async () => {
    for (const [path, seen] of [
      [reputationOf('%20ember%66ox%20'), reputationOf('%20emberfox%20')],
      [reputationOf('..'), reputationOf('%252E%252E')],
      [reputationOf('%252E%252E'), reputationOf('%252E%252E')],
      [reputationOf('%2e%2e%2f..'), reputationOf('..%2F..')],
      [reputationOf('a%3Fsessionkey=x%23'), reputationOf('a%3Fsessionkey%3Dx%23')],
    ] as const) {
      await post(path, '{"stars":4}', { headers: key(SESSION.key) });
      expect(gateway.reputation.requests.splice(0).map(({ url }) => url)).toEqual([seen]);
    }
  });

  const ofBodies = {
    sound: '{"stars":4}',
    malformed: '{"stars":',
    wrong: '{"stars":9,"x":1}',
    large: `{"comment":"${'x'.repeat(70_000)}"}`,
  };
  const withKey = (text: string, sessionKey: string) =>
    text.replace('{', `{"sessionKey":${JSON.stringify(sessionKey)},`);
  const ofKeys: Record<string, (text: string) => [string, Record<string, string>]> = {
    no: (text) => [text, {}],
    'a good one in the header': (text) => [text, key(SESSION.key)],
    'a good one in the body': (text) => [withKey(text, SESSION.key), {}],
    'a bad one in the header': (text) => [text, key('bad')],
    'a bad one in the body': (text) => [withKey(text, 'bad'), {}],
    'one in the header that can be none': (text) => [text, key('x'.repeat(5000))],
    'one that nobody can tell of': (text) => [text, key(UNVERIFIABLE_KEY)],
  };
  const missing = [400, 'sessionKey is required'];
  const noJson = [400, 'The body must be JSON in UTF-8'];
  const invalid = [401, 'Invalid session'];
  const unavailable = [503, 'This is unavailable at the moment, try again soon'];
  const wrong = [400, 'stars must be an integer from 1 to 5'];
  const tooLarge = [413, 'The body must be at most 64 KiB'];
  const wrongType = [415, 'Content-Type must be application/json'];

  it.each([
    ['no', missing, noJson, missing],
    ['a good one in the header', [200, undefined], noJson, wrong],
    ['a good one in the body', [200, undefined], noJson, wrong],
    ['a bad one in the header', invalid, invalid, invalid],
    ['a bad one in the body', invalid, noJson, invalid],
    ['one in the header that can be none', invalid, invalid, invalid],
    ['one that nobody can tell of', unavailable, unavailable, unavailable],
  ])('with %s for a key is rejected for the first fault found', async (which, sound, malformed, wrongFields) => {
    const say = async (text: string, type: string) => {
      const [body, headers] = ofKeys[which]!(text);
      const answer = await post(RATE, body, { headers: { ...headers, 'Content-Type': type } });
      return [answer.status, (answer.body as { error?: string }).error];
    };
    const texts = Object.values(ofBodies);
    const labelled = (type: string) => Promise.all(texts.map((text) => say(text, type)));
    expect(await labelled('application/json')).toEqual([sound, malformed, wrongFields, tooLarge]);
    expect(await labelled('text/plain')).toEqual([wrongType, wrongType, wrongType, tooLarge]);
  });

  it.each([
    [400, '%24gt', '{"stars":9}', 'username must be 1 to 32 letters, digits, spaces or . _ -'],
    [400, 'nobody', '{"stars":9}', 'stars must be an integer from 1 to 5'],
    [404, 'nobody', '{"stars":4}', 'Unknown username'],
    [400, SESSION.username, '{"stars":4}', 'You can not rate yourself'],
  ])('with a valid session is answered %i for %s and %s', async (status, username, body, error) => {
    const answer = await post(reputationOf(username), body, { headers: key(SESSION.key) });
    expect([answer.status, answer.body]).toEqual([status, { error }]);
  });

  it.each([
    [403, '{"social_links":[]}', 'Social links need a verified Discord'],
    [502, '{"discord_profile_url":null}', 'Discord does not answer'],
  ])('is answered %i with the reason of its upstream', async (status, body, error) => {
    const answer = await post(UPDATE, body, { headers: key(SESSION.key) });
    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([status, { error }, 'no-store']);
  });

  it.each([413, 415])('is answered %i with the text of its upstream', async (status) => {
    const REPUTATION_API_URL = await startRawUpstream((_req, res) => {
      res.writeHead(status, { 'Content-Type': 'application/json' }).end('{"error":"No"}');
    });
    const other = await runGateway({ env: { REPUTATION_API_URL } });
    const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    expect(await other.request(RATE, options)).toMatchObject({ status, body: { error: 'No' } });
  });

  it.each([
    [401, '<h1>Unauthorized</h1>'],
    [502, '<h1>Bad gateway</h1>'],
    [502, '{"error":{}}'],
    [500, '{"error":"secret"}'],
    [429, '{"error":"secret"}'],
    [200, 'oops'],
  ])('is 503 when its upstream answers %i %s', async (status, text) => {
    const USER_API_URL = await startRawUpstream((_req, res) => {
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    });
    const other = await runGateway({ env: { USER_API_URL } });
    const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    const answer = await other.request(UPDATE, options);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.text).not.toContain('secret');
  });

  it('answers other methods with 405 and Allow', async () => {
    for (const [path, allow] of [
      [UPDATE, 'POST, PATCH, OPTIONS'],
      [RATE, 'GET, HEAD, POST, DELETE, OPTIONS'],
    ] as const) {
      const { status, headers } = await gateway.request(path, { method: 'PUT' });
      expect([status, headers.allow]).toEqual([405, allow]);
    }
  });

  it('may come from any origin', async () => {
    const headers = {
      Origin: 'https://fans.example',
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'content-type, x-session-key',
    };
    const answer = await gateway.request(UPDATE, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('X-Session-Key'),
    });
    const ofDelete = { ...headers, 'Access-Control-Request-Method': 'DELETE' };
    expect((await gateway.request(RATE, { method: 'OPTIONS', headers: ofDelete })).headers).toMatchObject({
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, OPTIONS, DELETE',
    });
    const refused = await post(UPDATE, '{}');
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([400, '*']);
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After');
  });

  it('that waits for the auth service does not block connections for other requests', async () => {
    const held = Promise.withResolvers<undefined>();
    const { getReputation, rateProfile } = operations;
    let reached = 0;
    const upstream = await startStubUpstream([
      route(rateProfile, async () => {
        reached += 1;
        await held.promise;
        throw new AppError('unavailable', 'Not now');
      }),
      route(getReputation, async () => ({
        body: { average: 5, ratingCount: 0, effectiveVotes: 10, priorOnly: true, feedback: [], viewer: null },
      })),
    ]);
    const other = await runGateway({ env: { REPUTATION_API_URL: upstream.url } });
    const options = { method: 'POST', ...{ headers: { 'Content-Type': 'application/json', ...key(SESSION.key) } } };
    const writes = Array.from({ length: 60 }, () => other.request(RATE, { ...options, body: '{"stars":4}' }));
    expect((await other.request(RATE)).status).toBe(200);
    held.resolve(undefined);
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 503));
    expect(reached).toBe(60);
  });
});
