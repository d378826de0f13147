import { operations, playtimeCredited, userErased, userStored, type OperationResponse } from '@lobbystats/contracts';
import { runUserApi, sessionKeyOf, type RunningUserApi } from './running-user-api.ts';

type Online = OperationResponse<typeof operations.listUsersOnline>;

const { path, tags } = operations.listUsersOnline;
const SLOT_MS = 300_000;

const ask = (users: RunningUserApi, query = '') => users.get<Online>(path + query);
const namesOf = async (users: RunningUserApi, query = '') =>
  (await ask(users, query)).body.users.map(({ username }) => username);

describe('users online', () => {
  it('are nobody at first', async () => {
    const { status, body } = await ask(await runUserApi());
    expect([status, body]).toEqual([200, { slot: null, users: [], total: 0, limit: 100, offset: 0, hasMore: false }]);
  });

  it('are all that the feed shows online, by username in any case, with the game of each', async () => {
    const users = await runUserApi();
    await users.observe(
      { username: 'zora' },
      { username: 'Marlow', titleId: null, game: null },
      { username: 'adair', titleId: '0000000a', game: null },
      { username: 'Bea', isOnline: false },
      { username: 'EmberFox', titleId: null, game: 'Somewhere else' },
    );
    expect((await ask(users)).body.users).toEqual([
      { username: 'adair', titleId: '0000000a', game: null },
      { username: 'EmberFox', titleId: null, game: 'Somewhere else' },
      { username: 'Marlow', titleId: null, game: null },
      { username: 'zora', titleId: '4d530064', game: 'Harbor Racing' },
    ]);
  });

  it('are those whose profiles say so, until 15 minutes after they were seen last', async () => {
    const users = await runUserApi();
    await users.observe({ username: 'EmberFox' }, { username: 'Marlow' });
    for (let slot = 0; slot < 3; slot += 1) {
      expect(await namesOf(users)).toEqual(['EmberFox', 'Marlow']);
      users.clock.nowMs += SLOT_MS;
    }
    expect(await namesOf(users)).toEqual([]);
    await users.observe({ username: 'EmberFox' });
    expect(await namesOf(users)).toEqual(['EmberFox']);
    await users.observe({ username: 'EmberFox', isOnline: false });
    expect(await namesOf(users)).toEqual([]);
  });

  it('can be those of one game, in pages', async () => {
    const users = await runUserApi();
    await users.observe(...['a', 'b', 'c', 'd', 'e'].map((username) => ({ username })), {
      username: 'f',
      titleId: '0000000a',
    });
    const query = '?titleId=4D530064&limit=2';
    const { body } = await ask(users, query);
    expect(body).toMatchObject({
      slot: expect.stringMatching(/:[0-5][05]:00$/),
      total: 5,
      limit: 2,
      offset: 0,
      hasMore: true,
    });
    expect(await namesOf(users, query)).toEqual(['a', 'b']);
    expect(await namesOf(users, `${query}&offset=2`)).toEqual(['c', 'd']);
    expect(await namesOf(users, `${query}&offset=4`)).toEqual(['e']);
    expect((await ask(users, `${query}&offset=4`)).body.hasMore).toBe(false);
    expect((await ask(users, `${query}&offset=9`)).body).toMatchObject({ users: [], total: 5, hasMore: false });
    expect(await namesOf(users, '?titleId=')).toHaveLength(6);
    for (const titleId of ['00000001', '__proto__', '$ne', "' OR ''='"]) {
      expect((await ask(users, `?titleId=${encodeURIComponent(titleId)}`)).body).toMatchObject({ users: [], total: 0 });
    }
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'offset=-1', 'offset=100001', 'titleId=a&titleId=b'])(
    'are 400 at ?%s',
    async (query) => {
      expect((await ask(await runUserApi(), `?${query}`)).status).toBe(400);
    },
  );

  it('leave out erased users', async () => {
    const users = await runUserApi();
    await users.observe({ username: 'EmberFox' }, { username: 'Marlow' });
    const erase = async (query: string) => {
      const headers = { 'X-Session-Key': sessionKeyOf('EmberFox') };
      const response = await fetch(users.url + operations.eraseMe.path + query, { method: 'DELETE', headers });
      return (await response.json()) as { confirmation: string };
    };
    const { confirmation } = await erase('');
    await erase(`?confirmation=${confirmation}`);
    await users.observe({ username: 'EmberFox' });
    expect(await namesOf(users)).toEqual(['Marlow']);
  });

  it('change with facts that invalidate the response', async () => {
    const users = await runUserApi();
    await users.observe({ username: 'Marlow', titleId: null, game: null });
    const [fact] = users.published(playtimeCredited);
    const own = new Set(tags);
    expect(playtimeCredited.tags(fact!.data).some((tag) => own.has(tag))).toBe(true);
    for (const { tags: tagsOf, example } of [userErased, userStored] as const) {
      expect(tagsOf(example as never).some((tag) => own.has(tag))).toBe(true);
    }
  });
});
