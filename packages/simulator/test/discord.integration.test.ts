import { withSimulator } from './running-simulator.ts';

const SMALL = { titles: 3, openMatches: 1, boards: 0, entries: 0 };
const NEITHER = ['undefined', 'undefined'];
const BOTH = ['string', 'number'];
const ID = '123456789012345678';

describe('simulated Discord', () => {
  it('returns stable users, some without a display name or avatar', async () => {
    await withSimulator(SMALL, async ({ json }) => {
      const ids = Array.from({ length: 40 }, (_, index) => String(10n ** 17n + 7_919n * BigInt(index)));
      const users = await Promise.all(ids.map((id) => json<Record<string, unknown>>(`/discord/users/${id}`)));
      for (const [index, user] of users.entries()) {
        expect(Object.keys(user)).toEqual(['id', 'username', 'global_name', 'avatar']);
        expect(user).toMatchObject({ id: ids[index], username: expect.stringMatching(/^[a-z0-9_.]{2,32}$/) });
        expect(String(user['avatar'])).toMatch(/^(null|[0-9a-f]{32})$/);
      }
      expect(users.some((user) => user['avatar'] === null)).toBe(true);
      expect(users.some((user) => user['global_name'] === null)).toBe(true);
      expect(await json(`/discord/users/${ids[0]!}`)).toEqual(users[0]);
    });
  });

  it('returns 404 for IDs that end in 404, and 400 for malformed IDs', async () => {
    await withSimulator(SMALL, async ({ get, url }) => {
      for (const [path, status] of [
        [`users/${ID}`, 200],
        ['users/12345678901234567890', 200],
        ['users/123456789012345404', 404],
        ['users/1234567890123456', 400],
        ['users/123456789012345678901', 400],
        ['users/@me', 400],
        [`users/${ID}/x`, 404],
        ['guilds', 404],
      ] as const) {
        const response = await get(`/discord/${path}`);
        expect([path, response.status]).toEqual([path, status]);
        const { message, code } = (await response.json()) as { message?: string; code?: number };
        expect([path, typeof message, typeof code]).toEqual([path, ...(status === 200 ? NEITHER : BOTH)]);
      }
      const wrongMethod = await fetch(`${url}/discord/users/${ID}`, { method: 'DELETE' });
      expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });

  it('accepts any bot token or none, and rejects other authorization', async () => {
    await withSimulator(SMALL, async ({ get }) => {
      const statusWith = async (headers: Record<string, string>) => (await get(`/discord/users/${ID}`, headers)).status;
      expect(await statusWith({})).toBe(200);
      expect(await statusWith({ authorization: 'Bot a.b-c' })).toBe(200);
      expect(await statusWith({ authorization: 'Bearer a.b-c' })).toBe(401);
      expect(await statusWith({ authorization: 'Bot ' })).toBe(401);
    });
  });

  it('requires the configured bot token', async () => {
    await withSimulator({ ...SMALL, discordToken: 'a.b-c' }, async ({ get }) => {
      const statusWith = async (headers: Record<string, string>) => (await get(`/discord/users/${ID}`, headers)).status;
      expect(await statusWith({ authorization: 'Bot a.b-c' })).toBe(200);
      expect(await statusWith({ authorization: 'Bot other' })).toBe(401);
      expect(await statusWith({})).toBe(401);
    });
  });

  it('accepts messages of webhooks, and has faults of them', async () => {
    await withSimulator(SMALL, async ({ url, faults }) => {
      const post = async (id: string) => {
        const response = await fetch(`${url}/discord/webhooks/${id}/token`, { method: 'POST', body: '{}' });
        return response.status;
      };
      expect([await post(ID), await post('none')]).toEqual([204, 404]);
      await faults({ path: '/discord', kind: 'status', status: 503 });
      expect(await post(ID)).toBe(503);
    });
  });

  it('applies faults of its own paths', async () => {
    await withSimulator(SMALL, async ({ get, faults }) => {
      await faults({ path: '/discord', kind: 'status', status: 429, retryAfter: 3, times: 1 });
      const limited = await get(`/discord/users/${ID}`);
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
      expect(await limited.json()).toEqual({ message: expect.any(String), code: 0 });
      await faults({ path: '/discord/users', kind: 'truncate', ends: 'cleanly', times: 1 });
      await expect((await get(`/discord/users/${ID}`)).json()).rejects.toThrow();
      expect((await get(`/discord/users/${ID}`)).status).toBe(200);
    });
  });
});
