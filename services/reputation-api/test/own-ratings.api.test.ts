import { getJson } from '@lobbystats/test-kit';
import { runWithOwnRequests as run } from './own-requests.ts';
import { pathOf } from './running-reputation.ts';

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
    await api.totals({ EmberFox: { average: 5, ratingCount: 1 } });
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
