import { ratingStored } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { NOW, runReputation } from './running-reputation.ts';

const AT_NOW = '2027-01-15 08:00:00';

describe('profile rating', () => {
  it('returns the totals and the own rating, which reads show as well', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: 'Ember Fox', Marlow: '' });
    const { status, body } = await api.rate('Marlow', 'emberfox', 4, '  Good host  ');
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        reputation: { average: 4.91, ratingCount: 1, effectiveVotes: 11, priorOnly: false },
        viewer: { stars: 4, comment: 'Good host', createdAt: AT_NOW },
      },
    ]);
    const read = await api.read('EMBERFOX');
    expect(read.body).toEqual({
      average: 4.91,
      ratingCount: 1,
      effectiveVotes: 11,
      priorOnly: false,
      feedback: [{ raterUsername: 'Marlow', stars: 4, comment: 'Good host', createdAt: AT_NOW }],
      viewer: null,
    });
    expect(read.headers.get('last-modified')).toBe('Fri, 15 Jan 2027 08:00:00 GMT');
  });

  it('is the prior without ratings', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    const prior = { average: 5, ratingCount: 0, effectiveVotes: 10, priorOnly: true, feedback: [], viewer: null };
    expect((await api.read('EmberFox')).body).toEqual(prior);
  });

  it('publishes the average and the number of ratings given with each rating', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '', Wren: '' });
    await api.rate('marlow', 'EmberFox', 1);
    await api.rate('marlow', 'Wren', 4);
    const messages = await api.published(ratingStored, 2);
    expect(messages.map(({ data }) => data)).toEqual([
      { username: 'EmberFox', average: 4.64, ratingCount: 1, raters: [{ username: 'marlow', ratingsGiven: 1 }] },
      { username: 'Wren', average: 4.91, ratingCount: 1, raters: [{ username: 'marlow', ratingsGiven: 2 }] },
    ]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
    expect(messages[0]).toMatchObject({ id: `rating.stored:simulated:${NOW * 1000 + 1}:1`, past: false });
  });

  it('publishes few messages for many writes of one account to one profile, and the last totals', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    const begunMs = performance.now();
    for (let i = 0; i < 200; i += 1) await api.rate('marlow', 'EmberFox', 1 + (i % 5));
    await api.rate('marlow', 'EmberFox', 1);
    await api.totals({ EmberFox: { average: 4.64, ratingCount: 1 } });
    // The first one at once, then one a second.
    const seconds = (performance.now() - begunMs) / 1000;
    expect(api.log.filter(({ type }) => type === ratingStored.key).length).toBeLessThan(seconds + 3);
  });

  it('replaces stars, comment and time when the rater rates again', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'Left early');
    await api.rate('Wren', 'EmberFox', 5);
    api.clock.nowMs += 61_000;
    const again = { stars: 5, comment: null, createdAt: '2027-01-15 08:01:01' };
    expect((await api.rate('MARLOW', 'EmberFox', 5)).body.viewer).toEqual(again);
    const { body } = await api.read('EmberFox', { as: 'marlow' });
    expect(body).toMatchObject({ average: 5, ratingCount: 2, viewer: again });
    expect(body.feedback.map(({ raterUsername }) => raterUsername)).toEqual(['Marlow', 'Wren']);
  });

  it('results in one rating after 200 concurrent requests of one rater', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '', Marlow: '' });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => api.rate(index % 2 ? 'Marlow' : 'mArLoW', 'EmberFox', 1 + (index % 5))),
    );
    expect(answers.every(({ status, body }) => status === 200 && body.reputation.ratingCount === 1)).toBe(true);
    const { body } = await api.read('EmberFox');
    expect(body.ratingCount).toBe(1);
    expect(body.feedback).toHaveLength(1);
    const [{ stars } = { stars: 0 }] = body.feedback;
    expect(body.average).toBe(Math.round(((50 + stars) / 11) * 100) / 100);
    const { average } = body;
    const raters = [{ username: 'Marlow', ratingsGiven: 1 }];
    await eventually(() => {
      expect(api.log.at(-1)?.data).toEqual({ username: 'EmberFox', ratingCount: 1, average, raters });
    });
  });

  it('counts a hundred concurrent raters individually', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    const raters = Array.from({ length: 100 }, (_, index) => `Rater ${index}`);
    const answers = await Promise.all(raters.map((rater, index) => api.rate(rater, 'EmberFox', 1 + (index % 5))));
    const counts = answers.map(({ body }) => body.reputation.ratingCount).sort((a, b) => a - b);
    expect(counts).toEqual(raters.map((_, index) => index + 1));
    expect((await api.read('EmberFox')).body).toMatchObject({ average: 3.18, ratingCount: 100, effectiveVotes: 110 });
  });
});

describe('feedback', () => {
  it('is newest first, then by username in code-point order, up to the limit', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    for (const rater of ['b', 'B', '_', 'a1', 'C']) await api.rate(rater, 'EmberFox', 3);
    api.clock.nowMs += 1000;
    await api.rate('z', 'EmberFox', 3);
    const names = async (limit?: number) =>
      (await api.read('EmberFox', limit === undefined ? {} : { limit })).body.feedback.map((one) => one.raterUsername);
    // b and B are the same user.
    expect(await names()).toEqual(['z', 'C', '_', 'a1', 'b']);
    expect(await names(2)).toEqual(['z', 'C']);
  });

  it('has twelve entries by default and thirty at most', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    for (let rater = 0; rater < 31; rater += 1) await api.rate(`rater${rater}`, 'EmberFox', 5);
    expect((await api.read('EmberFox')).body.feedback).toHaveLength(12);
    expect((await api.read('EmberFox', { limit: 30 })).body.feedback).toHaveLength(30);
    const refused = await api.read('EmberFox', { limit: 31 });
    expect([refused.status, refused.body]).toEqual([400, { error: 'feedbackLimit must be an integer from 1 to 30' }]);
  });
});

describe('reader with a session', () => {
  it('sees the own rating only with the own session', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Marlow', 'EmberFox', 2);
    expect((await api.read('EmberFox', { as: 'MARLOW' })).body.viewer).toMatchObject({ stars: 2 });
    expect((await api.read('EmberFox', { as: 'Wren' })).body.viewer).toBeNull();
    expect((await api.read('EmberFox')).body.viewer).toBeNull();
  });
});
