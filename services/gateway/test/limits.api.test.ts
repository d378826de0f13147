import { gzipSync } from 'node:zlib';
import { allOperations, operations } from '@lobbystats/contracts';
import type { TestRequestOptions } from '@lobbystats/test-kit/send-request';
import { HARBOR } from './network.ts';
import { FOX, SESSION } from './user-responses.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';
import { fillPath, json } from './sample-request.ts';

const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);
const RATE = operations.rateProfile.path.replace(':username', FOX);
const UPDATE = operations.updateProfile.path;
const SEARCH = operations.searchByRanks.path;

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

beforeEach(() => {
  for (const { requests } of upstreams()) requests.length = 0;
});

const upstreams = () => [gateway.series, gateway.catalog, gateway.users, gateway.reputation];
const upstreamRequests = () => upstreams().flatMap(({ requests }) => requests);

const withSessionKey = (options: TestRequestOptions): TestRequestOptions => ({
  ...options,
  method: 'POST',
  headers: { ...options.headers, 'X-Session-Key': SESSION.key },
});

/**
 * Whether the work takes less CPU time of this process than the bound, in at least one of 20 attempts.
 * CPU time is used because other load on the machine affects it little, and the least of several not at all.
 */
async function isWithinCpuBudget(boundMs: number, work: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const began = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(began);
    if (user + system < boundMs * 1000) return true;
  }
  return false;
}

describe('request body', () => {
  const deep = `{"players":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;

  it.each([
    [413, 'of 1 MB', { body: Buffer.alloc(1_000_000, ' ') }],
    [413, 'of 64 KiB and a byte', { body: Buffer.alloc(64 * 1024 + 1, ' ') }],
    [415, 'that is a gzip bomb', { body: gzipSync(Buffer.alloc(60_000_000)), headers: { 'Content-Encoding': 'gzip' } }],
    [415, 'that says that it is plain text', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
    [415, 'that says nothing of itself', { body: '{}', headers: { 'Content-Type': '' } }],
    [415, 'that is a form', { body: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
    [400, '10,000 levels deep', { body: deep }],
    [400, 'that breaks off', { body: deep.slice(0, 20_000) }],
    [400, 'that is no UTF-8', { body: Buffer.from([0x22, 0xc0, 0xaf, 0x22]) }],
  ] as const)(
    'is rejected with %i within 50 ms of CPU time %s, without an upstream request',
    async (status, _, sent) => {
      const options = withSessionKey({
        body: sent.body,
        headers: { ...json({}).headers, ...('headers' in sent && sent.headers) },
      });
      const isLittle = await isWithinCpuBudget(50, async () => {
        const answer = await gateway.request(SEARCH, options);
        expect([answer.status, Object.keys(answer.body as object)]).toEqual([status, ['error']]);
      });
      expect(isLittle).toBe(true);
      expect(upstreamRequests()).toEqual([]);
    },
  );
});

describe('query string', () => {
  it.each(['sessionKey=a&sessionKey=b', 'sessionKey[$gt]=', 'sessionKey=%FF', 'sessionKey=%7B%22%24gt%22%3A%22%22%7D'])(
    'with %s as session key is treated as anonymous',
    async (query) => {
      const path = operations.getReputation.path.replace(':username', FOX);
      expect(await gateway.request(`${path}?${query}`)).toMatchObject({ status: 200, body: { viewer: null } });
    },
  );
});

describe('long text', () => {
  it.each([
    [414, 'in a path', `/api/game/${'x'.repeat(50_000)}`.slice(0, 12_000), {}],
    [431, 'in a URL over what headers may have', `/api/game/${'x'.repeat(50_000)}`, {}],
    [414, 'in a query', `${operations.searchByTime.path}?time=${'1'.repeat(10_000)}`, {}],
    [431, 'in a header', GAME, { headers: { 'X-Session-Key': 'k'.repeat(50_000) } }],
    [400, 'in a body', SEARCH, { method: 'POST', ...json({ players: [{ playerName: 'x'.repeat(50_000), rank: 1 }] }) }],
    [
      400,
      'of spaces in a body',
      SEARCH,
      { method: 'POST', ...json({ players: [{ playerName: `x${' '.repeat(50_000)}x`, rank: 1 }] }) },
    ],
    [400, 'in a field of no use', RATE, withSessionKey(json({ ['y'.repeat(50_000)]: 1 }))],
    [
      400,
      'in a URL of a profile',
      UPDATE,
      withSessionKey(json({ avatar_url: `https://a.example/${'?'.repeat(50_000)}` })),
    ],
    [
      400,
      'of dots in a URL of a profile',
      UPDATE,
      withSessionKey(json({ avatar_url: `https://${'a.'.repeat(25_000)}` })),
    ],
  ] as const)('is rejected with %i %s within 20 ms of CPU time', async (status, _, path, options) => {
    const isLittle = await isWithinCpuBudget(20, async () => {
      const answer = await gateway.request(path, options);
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([status, ['error']]);
      expect(answer.text.length).toBeLessThan(300);
    });
    expect(isLittle).toBe(true);
  });

  const spaces = `a${'%20'.repeat(2500)}a`;
  const dots = '%2e'.repeat(2500);
  const digits = '9'.repeat(7000);
  const combining = 'a%CC%81'.repeat(1000);
  const open = '('.repeat(7000);

  it('in any parameter of any operation costs less than 20 ms of CPU time', async () => {
    for (const { id, path, gamePath, query, method } of allOperations.filter(({ audience }) => audience === 'public')) {
      for (const text of [spaces, dots, digits, combining, open]) {
        const names = [...Object.keys(query.shape), ...(text === spaces ? ['unknown'] : [])];
        const targets = [
          ...[path, gamePath ?? path].map((one) => one.replace(/:\w+/, text)),
          ...names.map((name) => `${fillPath(path)}?${name}=${text}`),
        ];
        for (const target of new Set(targets)) {
          const work = () => gateway.request(target, { method, ...(method === 'POST' && json({})) });
          expect([id, target.slice(0, 60), await isWithinCpuBudget(20, work)]).toEqual([id, target.slice(0, 60), true]);
        }
      }
    }
  });
});
