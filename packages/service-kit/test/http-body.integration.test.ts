import { gzipSync } from 'node:zlib';
import { operation, trimmedText } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { notFound, parseBody, route } from '@lobbystats/service-kit';
import { getJson } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { z } from 'zod';
import { startExample } from './example-service.ts';
import { exchange, exchangeEnded } from './raw-exchange.ts';

const base = {
  upstream: 'series-api',
  audience: 'public',
  session: 'none',
  query: z.object({}),
  tags: [],
} as const;

const postTeam = operation({
  ...base,
  id: 'postTeam',
  summary: 'Takes a team in',
  method: 'POST',
  path: '/teams/:teamId',
  params: z.object({ teamId: z.string().regex(/^\d+$/) }),
  query: z.object({ q: z.string().max(3, 'must be short').optional() }),
  body: z.object({
    players: z
      .array(z.object({ playerName: trimmedText(64), rank: z.int().min(1).max(9) }))
      .min(1, 'must be 1 to 20')
      .max(20, 'must be 1 to 20'),
    colour: z.enum(['red', 'blue']).default('red'),
    note: z.string().min(2).optional(),
  }),
  response: z.strictObject({ teamId: z.string(), team: z.unknown() }),
});

const teams = route(postTeam, async ({ params, body }) => {
  if (params.teamId === '0') throw notFound('team');
  return { body: { teamId: params.teamId, team: body } };
});

const start = () => startExample({ routes: [teams] });

const TEAM = { players: [{ playerName: 'Ember Fox', rank: 1 }] };

/** Returns the parsed body, or the `invalid` error. */
function parseOrRefusal(json: string): unknown {
  try {
    return parseBody(postTeam, Buffer.from(json));
  } catch (error) {
    if (!hasCode(error, 'invalid')) throw error;
    return error;
  }
}

/** Bodies that are valid or nearly valid. */
const teamLike = fc
  .record(
    {
      players: fc.array(fc.record({ playerName: fc.oneof(fc.string(), fc.jsonValue()), rank: fc.integer({ max: 9 }) })),
      colour: fc.constantFrom('red', 'green'),
      note: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((team) => JSON.stringify(team));

async function post(
  url: string,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
  path = '/teams/7',
) {
  return getJson(url + path, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

describe('request bodies', () => {
  it('a body reaches the handler parsed, trimmed and with defaults', async () => {
    const { url } = await start();
    const input = { players: [{ playerName: ' Ember Fox ', rank: 3, more: 1 }], unknown: true };
    expect(await post(url, JSON.stringify(input))).toMatchObject({
      status: 200,
      body: { teamId: '7', team: { players: [{ playerName: 'Ember Fox', rank: 3 }], colour: 'red' } },
    });
  });

  it.each(['application/json', 'APPLICATION/JSON; charset=UTF-8', 'application/json ;x="a;b"'])(
    'a body may have the content type %s',
    async (type) => {
      const { url } = await start();
      expect((await post(url, JSON.stringify(TEAM), { 'Content-Type': type })).status).toBe(200);
    },
  );

  it.each([
    ['null', 'The body must be an object'],
    ['[]', 'The body must be an object'],
    ['1e999', 'The body must be an object'],
    ['{}', 'players must be a list'],
    ['{"players":[]}', 'players must be 1 to 20'],
    [JSON.stringify({ players: Array.from({ length: 21 }, () => TEAM.players[0]) }), 'players must be 1 to 20'],
    ['{"players":{"length":1}}', 'players must be a list'],
    ['{"players":[null]}', 'players[0] must be an object'],
    ['{"players":[{"playerName":"x"}]}', 'players[0].rank must be a number'],
    ['{"players":[{"playerName":"x","rank":"1"}]}', 'players[0].rank must be a number'],
    ['{"players":[{"playerName":"x","rank":1.5}]}', 'players[0].rank must be an integer'],
    ['{"players":[{"playerName":"x","rank":1},{"playerName":"x","rank":0}]}', 'players[1].rank must be at least 1'],
    ['{"players":[{"playerName":"x","rank":1e400}]}', 'players[0].rank must be a number'],
    [`{"players":[{"playerName":"x","rank":10}]}`, 'players[0].rank must be at most 9'],
    ['{"players":[{"playerName":{"$gt":""},"rank":1}]}', 'players[0].playerName must be a text of 1 to 64 characters'],
    ['{"players":[{"playerName":"  ","rank":1}]}', 'players[0].playerName must be a text of 1 to 64 characters'],
    ['{"players":[{"playerName":"\\ud800","rank":1}]}', 'players[0].playerName must be a text of 1 to 64 characters'],
    [JSON.stringify({ ...TEAM, colour: 'green' }), 'colour must be one of red, blue'],
    [JSON.stringify({ ...TEAM, note: '' }), 'note must be at least 2 characters long'],
  ])('an invalid body is rejected with the name of the field: %s', async (body, error) => {
    const { url } = await start();
    expect(await post(url, body)).toMatchObject({ status: 400, body: { error } });
  });

  it.each(['', '{', '{"players":', "{'players':[]}", '{}{}', '\0', 'undefined', '{"a":1,}', 'NaN'])(
    'a body that is not JSON is rejected: %j',
    async (body) => {
      const { url } = await start();
      expect(await post(url, body)).toMatchObject({ status: 400, body: { error: 'The body must be JSON in UTF-8' } });
    },
  );

  it.each([Buffer.from([0x22, 0xff, 0x22]), Buffer.from(JSON.stringify(TEAM), 'utf16le')])(
    'a body that is not UTF-8 is rejected',
    async (body) => {
      const { url } = await start();
      expect(await post(url, body)).toMatchObject({ status: 400, body: { error: 'The body must be JSON in UTF-8' } });
    },
  );

  it.each([
    ['lists', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['lists in a field', `{"players":${'['.repeat(33)}${']'.repeat(33)}}`],
    ['lists that never end', '['.repeat(60_000)],
  ])('a body that is nested too deeply is rejected: %s', async (_name, body) => {
    const { url } = await start();
    const answer = await post(url, body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'The body must not be deeper than 32 levels' } });
  });

  it('brackets in strings do not count as nesting', async () => {
    const { url } = await start();
    const team = { players: [{ playerName: '"[{\\'.repeat(16), rank: 1 }], other: '[{"\\'.repeat(1000) };
    expect((await post(url, JSON.stringify(team))).status).toBe(200);
  });

  it.each([
    '{"__proto__":{"players":[{"playerName":"x","rank":1}]}}',
    '{"constructor":{"prototype":{"players":[]}}}',
    '{"players":[{"__proto__":{"playerName":"x","rank":1}}]}',
  ])('a body cannot change a prototype: %s', async (body) => {
    const { url } = await start();
    expect((await post(url, body)).status).toBe(400);
    expect({}).not.toHaveProperty('players');
    const sound = JSON.stringify(TEAM).replace('{', '{"__proto__":{"colour":"blue"},"constructor":1,');
    expect(await post(url, sound)).toMatchObject({ status: 200, body: { team: { ...TEAM, colour: 'red' } } });
  });

  it('any JSON is either parsed to a valid value or rejected as invalid', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), teamLike), (json) => {
        const parsed = parseOrRefusal(json);
        if (parsed instanceof Error) return parsed.message.includes(' must ');
        return postTeam.body?.safeParse(parsed).success === true;
      }),
    );
  });
});

describe('bodies that are rejected unread', () => {
  const padded = (bytes: number) => {
    const json = JSON.stringify(TEAM);
    return json + ' '.repeat(bytes - json.length);
  };

  it('a body of more than 64 KiB is rejected with 413', async () => {
    const { url } = await start();
    expect((await post(url, padded(65_536))).status).toBe(200);
    const error = 'The body must be at most 64 KiB';
    expect(await post(url, padded(65_537))).toMatchObject({ status: 413, body: { error } });
    const large = await post(url, 'x'.repeat(1024 * 1024), { 'Content-Type': 'text/plain' });
    expect(large).toMatchObject({ status: 413, body: { error } });
  });

  it('a body that is too large is rejected before its end', async () => {
    const { port } = await start();
    const head = 'POST /teams/7 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const announced = await exchange(port, `${head}Content-Length: 1000000000\r\n\r\n{`);
    expect(announced).toMatchObject({ statusLine: 'HTTP/1.1 413 Payload Too Large' });
    const endless = await exchange(
      port,
      `${head}Transfer-Encoding: chunked\r\n\r\n20000\r\n${'['.repeat(0x20000)}\r\n`,
    );
    expect(endless).toMatchObject({ statusLine: 'HTTP/1.1 413 Payload Too Large' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json+x', 'json', ''])(
    'a body of content type %j is rejected with 415',
    async (type) => {
      const { url } = await start();
      expect(await post(url, JSON.stringify(TEAM), { 'Content-Type': type })).toMatchObject({
        status: 415,
        body: { error: 'Content-Type must be application/json' },
      });
    },
  );

  it('a body without a content type, or no body, is rejected with 415', async () => {
    const { url } = await start();
    for (const init of [{ body: Buffer.from('{}') }, {}]) {
      expect((await getJson(`${url}/teams/7`, { method: 'POST', ...init })).status).toBe(415);
    }
  });

  it('a compressed body is rejected with 415', async () => {
    const { url } = await start();
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip', 'x']) {
      const answer = await post(url, gzipSync(Buffer.alloc(20_000_000)), { 'Content-Encoding': encoding });
      expect(answer).toMatchObject({ status: 415, body: { error: 'The body must not be compressed' } });
    }
    expect((await post(url, JSON.stringify(TEAM), { 'Content-Encoding': 'Identity' })).status).toBe(200);
  });

  it('a fault of the body is reported before faults of path and query', async () => {
    const { url } = await start();
    for (const path of ['/teams/nonsense', '/teams/0', '/teams/7?q=too-long']) {
      expect((await post(url, padded(65_537), {}, path)).status).toBe(413);
      expect((await post(url, '{', { 'Content-Type': 'text/plain' }, path)).status).toBe(415);
      expect((await post(url, '{', {}, path)).status).toBe(400);
    }
    expect((await post(url, JSON.stringify(TEAM), {}, '/teams/nonsense')).status).toBe(404);
    expect((await post(url, JSON.stringify(TEAM), {}, '/teams/0')).status).toBe(404);
  });
});

describe('POST requests', () => {
  it('an incomplete body gets one 400 response and does not affect other requests', async () => {
    const { url, port, lines } = await start();
    const head = 'POST /teams/7 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';
    const { statusLine, body } = await exchangeEnded(port, `${head}{"players"`);
    expect([statusLine, body]).toEqual(['HTTP/1.1 400 Bad Request', '{"error":"Malformed request"}']);
    expect((await post(url, JSON.stringify(TEAM))).status).toBe(200);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('other methods of a POST path are rejected with 405', async () => {
    const { url } = await start();
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const answer = await getJson(`${url}/teams/7`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });
});
