import { operation } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { route, type Sessions } from '@lobbystats/service-kit';
import { getJson } from '@lobbystats/test-kit';
import { z } from 'zod';
import { startExample } from './example-service.ts';

const base = { upstream: 'user-api', audience: 'public', tags: [] } as const;
const ownPraise = { ...base, path: '/me/praise', session: 'required', params: z.object({}) } as const;
const named = { response: z.strictObject({ by: z.string(), page: z.string() }) };
const query = z.object({ page: z.string({ error: 'must be given once' }).max(3, 'must be short').default('') });

const readOwnPraise = operation({
  ...{ ...ownPraise, ...named, query },
  id: 'readOwnPraise',
  summary: 'Own praise',
  method: 'GET',
});

const removeOwnPraise = operation({
  ...{ ...ownPraise, ...named, query },
  id: 'removeOwnPraise',
  summary: 'Removes own praise',
  method: 'DELETE',
});

const routes = [readOwnPraise, removeOwnPraise].map((one) =>
  route(one, async ({ caller, query: { page } }) => ({ body: { by: caller.username, page } })),
);

const GOOD = 'g00d-KEY;with,"marks"';
const DOWN = 'd0wn-KEY';

const sessions: Sessions = {
  verify: async (key) => {
    if (key === DOWN) throw new AppError('unavailable', 'Not now');
    return key === GOOD ? { username: 'EmberFox' } : undefined;
  },
};

const key = (value: string) => ({ 'X-Session-Key': value });

describe.each(['GET', 'DELETE'])('an operation with a required session and without a body: %s', (method) => {
  it('accepts the key in the header alone, before it validates the query', async () => {
    const { url } = await startExample({ routes, sessions });
    const ask = async (search: string, headers: Record<string, string>) => {
      const { status, body } = await getJson(`${url}/me/praise${search}`, { method, headers });
      return [status, body];
    };
    expect(await ask('?page=2', key(GOOD))).toEqual([200, { by: 'EmberFox', page: '2' }]);
    expect(await ask(`?page=long&sessionKey=${encodeURIComponent(GOOD)}`, {})).toEqual([
      400,
      { error: 'sessionKey is required' },
    ]);
    expect(await ask('?page=long', key('bad'))).toEqual([401, { error: 'Invalid session' }]);
    expect(await ask('?page=long', key(DOWN))).toEqual([503, { error: 'Not now' }]);
    expect(await ask('?page=long', key(GOOD))).toEqual([400, { error: 'page must be short' }]);
  });

  it('needs no content type and ignores a body', async () => {
    const { url } = await startExample({ routes, sessions });
    const body = method === 'DELETE' ? { body: JSON.stringify({ sessionKey: GOOD }) } : {};
    expect((await getJson(`${url}/me/praise`, { method, ...body })).status).toBe(400);
    expect((await getJson(`${url}/me/praise`, { method, headers: key(GOOD), ...body })).status).toBe(200);
  });
});
