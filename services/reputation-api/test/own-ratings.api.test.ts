import { join } from 'node:path';
import { operations, ratingStored, type OperationResponse } from '@lobbystats/contracts';
import { cleanUp, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { openReputationModeration } from '../src/admin.ts';
import { keyOf, NOW, pathOf, runReputation, type RunOptions } from './running-reputation.ts';

const { listOwnRatings, reportComment, exportRatings } = operations;

/** Starts a service with its moderation, and the users EmberFox, Wren and Marlow. */
async function run(options: RunOptions = {}) {
  const url = `sqlite:${join(temporaryDirectory(), 'reputation.sqlite')}`;
  const api = await runReputation({ env: { DATABASE_URL: url }, ...options });
  const moderation = await openReputationModeration({ url, origin: 'simulated', clock: () => NOW * 1000 });
  cleanUp(() => moderation.close());
  await api.announceUsers({ EmberFox: '', Wren: '', Marlow: '' });
  const headersOf = (as: string | null) => (as === null ? {} : { 'x-session-key': keyOf(as) });
  const remove = (as: string | null, profile: string) =>
    getJson<OperationResponse<typeof operations.removeRating>>(api.url + pathOf(profile), {
      method: 'DELETE',
      headers: headersOf(as),
    });
  const given = (as: string | null, query = '') =>
    getJson<OperationResponse<typeof listOwnRatings>>(`${api.url}${listOwnRatings.path}${query}`, {
      headers: headersOf(as),
    });
  const report = (as: string, body: unknown) =>
    getJson(api.url + reportComment.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(as) },
      body: JSON.stringify(body),
    });
  const exported = async (as: string) => (await getJson(api.url + exportRatings.path, { headers: headersOf(as) })).body;
  return { api, moderation, remove, given, report, exported };
}

describe('removal of an own rating', () => {
  it('returns the totals without it, and publishes them without a rater', async () => {
    const { api, remove } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await api.rate('Wren', 'EmberFox', 5);
    const { status, body } = await remove('marlow', 'EMBERFOX');
    expect([status, body]).toEqual([
      200,
      { success: true, reputation: { average: 5, ratingCount: 1, effectiveVotes: 11, priorOnly: false } },
    ]);
    expect((await api.read('EmberFox', { as: 'Marlow' })).body).toMatchObject({
      ratingCount: 1,
      feedback: [{ raterUsername: 'Wren' }],
      viewer: null,
    });
    const facts = await api.published(ratingStored, 3);
    expect(facts[2]?.data).toEqual({ username: 'EmberFox', average: 5, ratingCount: 1, raters: [] });
  });

  it('is rejected for an unknown user, an absent rating, an invalid name and without a session', async () => {
    const { api, remove } = await run();
    await api.rate('Marlow', 'EmberFox', 1);
    const answers = [
      await remove('Marlow', 'Nobody'),
      await remove('Marlow', 'Wren'),
      await remove('Wren', 'EmberFox'),
      await remove('Marlow', '$where'),
      await remove(null, '$where'),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [404, { error: 'Unknown username' }],
      [404, { error: 'Unknown rating' }],
      [404, { error: 'Unknown rating' }],
      [400, { error: 'username must be 1 to 32 letters, digits, spaces or . _ -' }],
      [400, { error: 'sessionKey is required' }],
    ]);
    expect((await remove('Marlow', 'EmberFox')).status).toBe(200);
    expect((await remove('Marlow', 'EmberFox')).status).toBe(404);
  });

  it('does not show the comments of a later rating when the removed one was hidden', async () => {
    const { api, moderation, remove, given } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await moderation.hide('Marlow', 'EmberFox');
    expect((await remove('Marlow', 'EmberFox')).status).toBe(200);
    expect((await remove('Marlow', 'EmberFox')).status).toBe(404);
    expect((await api.read('EmberFox', { as: 'Marlow' })).body).toMatchObject({
      ratingCount: 0,
      feedback: [],
      viewer: null,
    });
    expect((await given('Marlow')).body).toMatchObject({ ratings: [], total: 0 });
    expect((await api.rate('Marlow', 'EmberFox', 2, 'Rude')).body.viewer).toMatchObject({ stars: 2, comment: null });
    await remove('Marlow', 'EmberFox');
    expect(await moderation.show('Marlow', 'EmberFox')).toBe('done');
    expect((await api.rate('Marlow', 'EmberFox', 3, 'Kind')).body.viewer).toMatchObject({ comment: 'Kind' });
  });

  it('is possible for a barred rater, who stays barred', async () => {
    const { api, moderation, remove, given } = await run();
    await api.rate('Marlow', 'EmberFox', 1);
    await moderation.bar('Marlow');
    expect((await given('Marlow')).body.ratings).toMatchObject([{ username: 'EmberFox', counts: false }]);
    expect((await remove('Marlow', 'EmberFox')).status).toBe(200);
    expect((await given('Marlow')).body.ratings).toEqual([]);
    expect((await api.rate('Marlow', 'EmberFox', 5)).status).toBe(403);
  });
});

describe('list of the ratings given', () => {
  it('is newest first, in pages with a total and a link to the next one', async () => {
    const { api, given, moderation } = await run();
    for (const name of ['EmberFox', 'Wren']) {
      await api.rate('Marlow', name, 4, `of ${name}`);
      api.clock.nowMs += 1000;
    }
    await api.rate('Wren', 'Marlow', 1);
    await moderation.hide('Marlow', 'EmberFox');
    const first = await given('Marlow', '?limit=1');
    const wren = { username: 'Wren', stars: 4, comment: 'of Wren', createdAt: '2027-01-15 08:00:01', counts: true };
    expect(first.body).toEqual({ ratings: [wren], total: 2, limit: 1, offset: 0, hasMore: true });
    expect(first.headers.get('link')).toBe('<?limit=1&offset=1>; rel="next"');
    const second = await given('Marlow', '?limit=1&offset=1');
    expect(second.body).toMatchObject({ ratings: [{ username: 'EmberFox', comment: null }], hasMore: false });
    expect(second.headers.get('link')).toBeNull();
    expect((await given('Nobody')).body).toEqual({ ratings: [], total: 0, limit: 25, offset: 0, hasMore: false });
  });

  it.each([
    ['?limit=0', 'limit must be an integer from 1 to 100'],
    ['?limit=101', 'limit must be an integer from 1 to 100'],
    ['?offset=-1', 'offset must be an integer from 0 to 100000'],
    ['?limit=1&limit=2', 'limit must be an integer from 1 to 100'],
    ['?offset=%00', 'offset must be an integer from 0 to 100000'],
  ])('rejects %s', async (query, error) => {
    const { given } = await run();
    const { status, body } = await given('Marlow', query);
    expect([status, body]).toEqual([400, { error }]);
    expect((await given(null, query)).body).toEqual({ error: 'sessionKey is required' });
  });

  it('loses the ratings of a profile whose user is erased', async () => {
    const { api, given } = await run();
    await api.rate('Marlow', 'EmberFox', 4);
    await api.rate('Marlow', 'Wren', 4);
    await api.eraseUser('EmberFox');
    expect((await given('Marlow')).body).toMatchObject({ ratings: [{ username: 'Wren' }], total: 1 });
  });
});

describe('page of feedback', () => {
  it('has a total and a link only with an offset', async () => {
    const { api } = await run();
    for (const rater of ['a', 'b', 'c']) await api.rate(rater, 'EmberFox', 5);
    const read = (query: string) => getJson(`${api.url}${pathOf('EmberFox')}${query}`);
    const plain = await read('?feedbackLimit=2');
    expect(Object.keys(plain.body as object).at(-1)).toBe('viewer');
    expect(plain.headers.get('link')).toBeNull();
    const first = await read('?feedbackLimit=2&feedbackOffset=0');
    expect(first.body).toEqual({ ...(plain.body as object), total: 3, limit: 2, offset: 0, hasMore: true });
    expect(first.headers.get('link')).toBe('<?feedbackLimit=2&feedbackOffset=2>; rel="next"');
    const last = await read('?feedbackOffset=2');
    expect(last.body).toMatchObject({
      feedback: [{ raterUsername: 'c' }],
      total: 3,
      limit: 12,
      offset: 2,
      hasMore: false,
    });
    expect(last.headers.get('link')).toBeNull();
    expect((await read('?feedbackOffset=100001')).body).toEqual({
      error: 'feedbackOffset must be an integer from 0 to 100000',
    });
  });
});

describe('report of a comment', () => {
  it('is listed for operators until they hide the comment, dismiss the report or bar the rater', async () => {
    const { api, moderation, report } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await api.rate('Wren', 'EmberFox', 1, 'Ruder');
    await api.rate('Third', 'EmberFox', 1, 'Rudest');
    for (const raterUsername of ['marlow', 'Wren', 'Third']) {
      expect((await report('EmberFox', { raterUsername, reason: ` of ${raterUsername} ` })).body).toEqual({
        success: true,
      });
    }
    expect(await moderation.reports()).toMatchObject([
      { raterUsername: 'Marlow', profileUsername: 'EmberFox', comment: 'Rude', reportReason: 'of marlow' },
      { raterUsername: 'Third' },
      { raterUsername: 'Wren', reportedAt: NOW },
    ]);
    await api.rate('Marlow', 'EmberFox', 1, 'Rude again');
    expect(await moderation.reports()).toMatchObject([{ comment: 'Rude again' }, {}, {}]);
    expect(await moderation.hide('Marlow', 'EmberFox')).toBe('done');
    expect(await moderation.dismiss('WREN', 'emberfox')).toBe('done');
    expect(await moderation.dismiss('WREN', 'emberfox')).toBe('already');
    expect(await moderation.dismiss('Nobody', 'emberfox')).toBe('unknown');
    expect(await moderation.bar('Third')).toBe('done');
    expect(await moderation.reports()).toEqual([]);
  });

  it('is rejected unless the comment is visible on the profile of the caller', async () => {
    const { api, moderation, report } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await api.rate('Wren', 'EmberFox', 1);
    const unknown = [404, { error: 'Unknown comment' }];
    const outcome = async (as: string, body: unknown) => {
      const answer = await report(as, body);
      return [answer.status, answer.body];
    };
    for (const [as, raterUsername] of [
      ['Wren', 'Marlow'],
      ['Marlow', 'EmberFox'],
      ['EmberFox', 'Wren'],
      ['EmberFox', 'Nobody'],
      ['EmberFox', '__proto__'],
    ] as const) {
      expect(await outcome(as, { raterUsername })).toEqual(unknown);
    }
    await moderation.hide('Marlow', 'EmberFox');
    expect(await outcome('EmberFox', { raterUsername: 'Marlow' })).toEqual(unknown);
    expect(await moderation.reports()).toEqual([]);
  });

  it.each([
    [{}, 'raterUsername must be 1 to 32 letters, digits, spaces or . _ -'],
    [{ raterUsername: '<script>' }, 'raterUsername must be 1 to 32 letters, digits, spaces or . _ -'],
    [{ raterUsername: { $ne: '' } }, 'raterUsername must be 1 to 32 letters, digits, spaces or . _ -'],
    [{ raterUsername: 'Marlow', reason: 'x'.repeat(501) }, 'reason must be a text of at most 500 characters'],
    [{ raterUsername: 'Marlow', reason: 5 }, 'reason must be a text of at most 500 characters'],
    [{ raterUsername: 'Marlow', x: 1 }, 'x is not known'],
  ])('rejects the body %j', async (body, error) => {
    const { report } = await run();
    const answer = await report('EmberFox', body);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });
});

describe('export of ratings', () => {
  it('contains ratings given and received with their hidden state and reports', async () => {
    const { api, moderation, report, exported } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await api.rate('EmberFox', 'Marlow', 4, 'Fair');
    await api.rate('Wren', 'Marlow', 2, 'Loud');
    await report('Marlow', { raterUsername: 'Wren', reason: 'Untrue' });
    await moderation.hide('Marlow', 'EmberFox');
    const createdAt = '2027-01-15 08:00:00';
    expect(await exported('marlow')).toEqual({
      isBarred: false,
      average: 4.67,
      ratingCount: 2,
      effectiveVotes: 12,
      priorOnly: false,
      given: [{ username: 'EmberFox', stars: 1, comment: 'Rude', createdAt, counts: true, isHidden: true }],
      received: [
        { raterUsername: 'EmberFox', stars: 4, comment: 'Fair', createdAt, report: null },
        {
          raterUsername: 'Wren',
          stars: 2,
          comment: 'Loud',
          createdAt,
          report: { reason: 'Untrue', reportedAt: createdAt },
        },
      ],
    });
  });

  it('contains more ratings than one batch has, and nothing for a user without ratings', async () => {
    const { api, exported } = await run();
    const names = Array.from({ length: 600 }, (_, index) => `rater${index}`);
    await Promise.all(names.map((name) => api.rate(name, 'Marlow', 5)));
    const { received } = (await exported('Marlow')) as OperationResponse<typeof exportRatings>;
    expect(received.map(({ raterUsername }) => raterUsername).toSorted()).toEqual(names.toSorted());
    expect(await exported('Nobody')).toMatchObject({ isBarred: false, priorOnly: true, given: [], received: [] });
  });
});
