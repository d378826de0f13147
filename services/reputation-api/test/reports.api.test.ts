import { runWithOwnRequests as run } from './own-requests.ts';
import { NOW } from './running-reputation.ts';

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
    expect(await moderation.reports()).toMatchObject([{ comment: 'Rude again', reportedComment: 'Rude' }, {}, {}]);
    expect(await moderation.hide('Marlow', 'EmberFox')).toBe('done');
    expect(await moderation.dismiss('WREN', 'emberfox')).toBe('done');
    expect(await moderation.dismiss('WREN', 'emberfox')).toBe('already');
    expect(await moderation.dismiss('Nobody', 'emberfox')).toBe('unknown');
    expect(await moderation.bar('Third')).toBe('done');
    expect(await moderation.reports()).toEqual([]);
  });

  it('stays listed with the text that was reported, whatever its rater does to the rating', async () => {
    const { api, moderation, report, remove, given } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await report('EmberFox', { raterUsername: 'Marlow', reason: 'Insult' });
    for (const comment of ['Rude', 'Ruder']) {
      expect((await remove('Marlow', 'EmberFox')).status).toBe(200);
      expect((await remove('Marlow', 'EmberFox')).status).toBe(404);
      expect(await moderation.reports()).toMatchObject([{ comment: null, reportedComment: 'Rude' }]);
      expect((await api.read('EmberFox', { as: 'Marlow' })).body).toMatchObject({ feedback: [], viewer: null });
      expect((await given('Marlow')).body).toMatchObject({ ratings: [], total: 0 });
      await api.rate('Marlow', 'EmberFox', 2);
      expect(await moderation.reports()).toMatchObject([{ comment: null, reportedComment: 'Rude' }]);
      await api.rate('Marlow', 'EmberFox', 1, comment);
      const unchanged = { reportedComment: 'Rude', reportReason: 'Insult', reportedAt: NOW };
      expect(await moderation.reports()).toMatchObject([{ comment, ...unchanged }]);
    }
  });

  it('is dismissed with the text that was shown, and no other', async () => {
    const { api, moderation, report } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await report('EmberFox', { raterUsername: 'Marlow' });
    expect(await moderation.dismiss('Marlow', 'EmberFox', '2027-01-15 07:59:59')).toBe('changed');
    expect(await moderation.reports()).toMatchObject([{ reportedComment: 'Rude' }]);
    expect(await moderation.dismiss('Marlow', 'EmberFox', '2027-01-15 08:00:00')).toBe('done');
    expect(await moderation.reports()).toEqual([]);
  });

  it('goes with the erasure of its rater', async () => {
    const { api, moderation, report } = await run();
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await report('EmberFox', { raterUsername: 'Marlow' });
    await api.rate('Marlow', 'EmberFox', 1);
    await api.eraseUser('Marlow');
    expect(await moderation.reports()).toEqual([]);
  });

  it('is settled by hiding, dismissal or a bar after its rater has removed the rating', async () => {
    const { api, moderation, report, remove } = await run();
    for (const name of ['Marlow', 'Wren', 'Third']) {
      await api.rate(name, 'EmberFox', 1, 'Rude');
      await report('EmberFox', { raterUsername: name });
      await remove(name, 'EmberFox');
    }
    await api.announceUsers({ Third: '' });
    expect(await moderation.show('Marlow', 'EmberFox')).toBe('already');
    expect(await moderation.hide('Marlow', 'EmberFox')).toBe('done');
    expect(await moderation.hide('Marlow', 'EmberFox')).toBe('already');
    expect(await moderation.dismiss('Wren', 'EmberFox')).toBe('done');
    expect(await moderation.dismiss('Wren', 'EmberFox')).toBe('unknown');
    expect(await moderation.bar('Third')).toBe('done');
    expect(await moderation.dismiss('Third', 'EmberFox')).toBe('unknown');
    expect((await api.rate('Marlow', 'EmberFox', 1, 'Rude')).body.viewer).toMatchObject({ comment: null });
    expect((await api.rate('Wren', 'EmberFox', 1, 'Loud')).body.viewer).toMatchObject({ comment: 'Loud' });
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
    [
      { raterUsername: 'Marlow', reason: 'clear \u001b[2J' },
      expect.stringMatching(/^reason must have no control characters/),
    ],
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
        {
          raterUsername: 'EmberFox',
          stars: 4,
          comment: 'Fair',
          createdAt,
          counts: true,
          isHidden: false,
          report: null,
        },
        {
          raterUsername: 'Wren',
          stars: 2,
          comment: 'Loud',
          createdAt,
          counts: true,
          isHidden: false,
          report: { comment: 'Loud', reason: 'Untrue', reportedAt: createdAt },
        },
      ],
    });
  });

  it('contains hidden comments, ratings by barred raters, and what remains of removed ratings', async () => {
    const { api, moderation, report, remove, exported } = await run();
    for (const name of ['Hidden', 'Barred', 'Gone', 'Reported']) await api.rate(name, 'Marlow', 1, `by ${name}`);
    for (const name of ['Hidden', 'Gone']) await moderation.hide(name, 'Marlow');
    await report('Marlow', { raterUsername: 'Reported', reason: 'Insult' });
    for (const name of ['Gone', 'Reported']) await remove(name, 'Marlow');
    await moderation.bar('Barred');
    const createdAt = '2027-01-15 08:00:00';
    const shown = { stars: 1, createdAt, counts: true, isHidden: false, report: null };
    const removed = { stars: null, comment: null, createdAt: null, counts: false, isHidden: false, report: null };
    const { received } = await exported('Marlow');
    expect(received).toEqual([
      { raterUsername: 'Barred', ...shown, comment: 'by Barred', counts: false },
      { raterUsername: 'Gone', ...removed, isHidden: true },
      { raterUsername: 'Hidden', ...shown, comment: 'by Hidden', isHidden: true },
      {
        raterUsername: 'Reported',
        ...removed,
        report: { comment: 'by Reported', reason: 'Insult', reportedAt: createdAt },
      },
    ]);
    expect((await exported('Gone')).given).toEqual([
      { username: 'Marlow', stars: null, comment: null, createdAt: null, counts: false, isHidden: true },
    ]);
    expect((await exported('Barred')).given).toMatchObject([{ comment: 'by Barred', counts: false }]);
    // A rater is not notified of a report.
    expect((await exported('Reported')).given).toEqual([]);
  });

  it('contains more ratings than one batch has, and nothing for a user without ratings', async () => {
    const { api, exported } = await run();
    const names = Array.from({ length: 600 }, (_, index) => `rater${index}`);
    await api.rateAll(
      names.map((name) => [name, 'Marlow']),
      5,
    );
    const { received } = await exported('Marlow');
    expect(received.map(({ raterUsername }) => raterUsername).toSorted()).toEqual(names.toSorted());
    expect(await exported('Nobody')).toMatchObject({ isBarred: false, priorOnly: true, given: [], received: [] });
  });
});
