import { allOperations, operations } from '@lobbystats/contracts';
import { HARBOR, network } from './network.ts';
import { readPage } from './page-text.ts';
import { pageOf, runWorld } from './player-world.ts';
import { ratingRoutes, type Ratings } from './rating-routes.ts';
import { runCached } from './running-cache.ts';
import { startStubUpstream, UNREACHABLE_URL } from './running-gateway.ts';
import { FOX, SESSION, testUser } from './user-responses.ts';

describe('page of a player while an upstream is down', () => {
  it.each([
    ['CATALOG_API_URL', '', '#held-records .unavailable', '#play-time tbody'],
    ['REPUTATION_API_URL', '?tab=ratings', '#ratings .unavailable', '.figures'],
  ])('%s: has the other parts', async (name, query, unavailable, shown) => {
    const page = await readPage(await runWorld({ env: { [name]: UNREACHABLE_URL } }), pageOf(FOX, query));
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect([page.texts(unavailable).length, page.texts(shown).length]).toEqual([1, 1]);
  });

  it('has the leaderboards of a name while accounts are unavailable', async () => {
    const gateway = await runWorld({ env: { USER_API_URL: UNREACHABLE_URL } });
    const page = await readPage(gateway, pageOf(FOX, '?tab=leaderboards'));
    expect([page.status, page.text('.lead'), page.texts('#ranks tbody tr').length]).toEqual([
      200,
      'Accounts are unavailable at the moment',
      2,
    ]);
    expect((await readPage(gateway, pageOf('unknown'))).status).toBe(503);
  });
});

describe('page of a player after a write', () => {
  const POLICY = 'public, max-age=0, must-revalidate';
  const session = { 'X-Session-Key': SESSION.key, 'Content-Type': 'application/json' };

  /** Two gateways of the same services; the facts of the writes reach neither. */
  const runTwo = async () => {
    const known = network({ user: testUser({ username: SESSION.username }) });
    const ratings: Ratings = new Map();
    const reputation = await startStubUpstream(ratingRoutes(ratings));
    const writer = await runCached({ network: known, env: { REPUTATION_API_URL: reputation.url } });
    const reader = await runCached({
      network: known,
      env: { REPUTATION_API_URL: reputation.url, USER_API_URL: writer.users.url },
    });
    return { writer, reader };
  };

  it('has the new profile at once, at every gateway', async () => {
    const { writer, reader } = await runTwo();
    const path = pageOf(SESSION.username);
    for (const gateway of [writer, reader]) await readPage(gateway, path);
    const body = JSON.stringify({ bio: 'Drives backwards.' });
    const { path: write } = operations.updateProfile;
    expect((await writer.request(write, { method: 'POST', headers: session, body })).status).toBe(200);
    for (const gateway of [writer, reader]) {
      const page = await readPage(gateway, path);
      expect([page.headers['cache-control'], page.text('#profile .bio')]).toEqual([POLICY, 'Drives backwards.']);
    }
  });

  it.each(['?tab=ratings', '?tab=ratings&feedbackOffset=0', '?tab=ratings&history=4d530064:1'])(
    'has the new rating at once: %s',
    async (query) => {
      const { writer, reader } = await runTwo();
      const path = pageOf(SESSION.username, query);
      for (const gateway of [writer, reader]) await readPage(gateway, path);
      const write = operations.rateProfile.path.replace(':username', SESSION.username);
      const body = JSON.stringify({ stars: 2, comment: 'Slow' });
      expect((await writer.request(write, { method: 'POST', headers: session, body })).status).toBe(200);
      for (const gateway of [writer, reader]) {
        const page = await readPage(gateway, path);
        expect([page.headers['cache-control'], page.texts('#ratings .comment')]).toEqual([POLICY, ['Slow']]);
      }
    },
  );

  it('is confirmed with 304 while nothing has changed', async () => {
    const gateway = await runCached();
    const { headers } = await gateway.request(pageOf(FOX), { headers: { Accept: 'text/html' } });
    const again = await gateway.request(pageOf(FOX), {
      headers: { Accept: 'text/html', 'If-None-Match': String(headers.etag) },
    });
    expect(again.status).toBe(304);
  });
});

describe('answers about a user', () => {
  const ofUser = allOperations.filter(
    ({ audience, method, params, session: need, tags }) =>
      audience === 'public' &&
      method === 'GET' &&
      need !== 'required' &&
      'username' in params.shape &&
      tags.some((tag) => /^(user|reputation):/.test(tag)),
  );

  it.each(ofUser.map(({ id, path }) => [id, path.replace(':username', FOX)]))('revalidate: %s', async (_id, path) => {
    const { headers, status } = await (await runCached()).request(path);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=0, must-revalidate']);
  });
});

describe('stream of the page of a player', () => {
  const streamOf = async (known: Parameters<typeof runWorld>[0], name: string) => {
    const { document } = await readPage(await runWorld(known), pageOf(name));
    return new URL(document.querySelector('main')?.getAttribute('data-stream') ?? '', 'http://site').searchParams;
  };

  it('has events of the username and of the name on leaderboards alone', async () => {
    const known = { user: testUser({ linkedGamertag: 'Fox & Owl' }) };
    expect((await streamOf({ known }, FOX)).get('names')).toBe(`${FOX},Fox & Owl`);
    expect((await streamOf({}, FOX)).get('names')).toBe(FOX);
  });

  it('has all events where the stream takes no such name', async () => {
    for (const name of ['Fox, the', 'x'.repeat(65)]) {
      const known = { standings: new Map([[name, [HARBOR.titleId]]]) };
      const query = await streamOf({ known }, name);
      expect([query.get('topics')?.includes('changes'), query.get('names')]).toEqual([true, null]);
    }
  });
});
