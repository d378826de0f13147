import { join } from 'node:path';
import { commentHidden, commentShown, raterBarred, ratingStored } from '@lobbystats/contracts';
import { cleanUp, temporaryDirectory } from '@lobbystats/test-kit';
import { openReputationModeration } from '../src/admin.ts';
import { NOW, runReputation } from './running-reputation.ts';

/** Starts a service and opens the moderation on the same file. */
async function runWithModeration() {
  const url = `sqlite:${join(temporaryDirectory(), 'reputation.sqlite')}`;
  const api = await runReputation({ env: { DATABASE_URL: url } });
  const moderation = await openReputationModeration({ url, origin: 'simulated', clock: () => NOW * 1000 });
  cleanUp(() => moderation.close());
  return { api, moderation };
}

describe('hidden comment', () => {
  it('is null for all readers, including its rater, while its stars count', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'Rude words');
    expect(await moderation.hide('MARLOW', ' emberfox')).toBe('done');
    const { body } = await api.read('EmberFox', { as: 'Marlow' });
    expect(body).toMatchObject({
      average: 4.64,
      ratingCount: 1,
      feedback: [{ raterUsername: 'Marlow', stars: 1, comment: null }],
      viewer: { stars: 1, comment: null },
    });
    const [fact] = await api.published(commentHidden, 1);
    expect(fact?.data).toEqual({ raterUsername: 'Marlow', username: 'EmberFox' });
    await api.published(ratingStored, 1);
  });

  it('is hidden once, and only when the rating exists', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'Rude words');
    expect(await moderation.hide('Marlow', 'EmberFox')).toBe('done');
    expect(await moderation.hide('Marlow', 'EmberFox')).toBe('already');
    for (const [rater, profile] of [
      ['EmberFox', 'Marlow'],
      ['Nobody', 'EmberFox'],
      ['Marlow', 'Nobody'],
      ['/', '__proto__'],
    ] as const) {
      expect(await moderation.hide(rater, profile)).toBe('unknown');
    }
    await api.published(commentHidden, 1);
  });

  it.each([
    ['the same text', ['Rude words']],
    ['the same text after a rating without one', [null, 'Rude words']],
    ['another text', ['Ruder words', 'Rude words', 'Ruder words']],
  ])('stays hidden when its rater sends %s', async (_what, comments) => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '', Wren: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'Rude words');
    await moderation.hide('Marlow', 'EmberFox');
    for (const comment of comments) {
      expect((await api.rate('Marlow', 'EmberFox', 2, comment)).body.viewer).toMatchObject({ stars: 2, comment: null });
      expect((await api.read('EmberFox', { as: 'Marlow' })).body).toMatchObject({
        feedback: [{ stars: 2, comment: null }],
        viewer: { comment: null },
      });
    }
    expect((await api.rate('Marlow', 'Wren', 2, 'Kind words')).body.viewer.comment).toBe('Kind words');
    expect((await api.rate('Wren', 'EmberFox', 2, 'Kind words')).body.viewer.comment).toBe('Kind words');
  });

  it('is hidden when its rater has removed and sends it again', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Marlow', 'EmberFox', 1);
    expect(await moderation.hide('Marlow', 'EmberFox')).toBe('done');
    expect((await api.rate('Marlow', 'EmberFox', 1, 'Rude words')).body.viewer.comment).toBeNull();
  });

  it('is shown again in its latest version when an operator shows it', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'Rude words');
    expect(await moderation.show('Marlow', 'EmberFox')).toBe('already');
    await moderation.hide('Marlow', 'EmberFox');
    await api.rate('Marlow', 'EmberFox', 4, 'Sorry');
    expect(await moderation.show('MARLOW', ' emberfox')).toBe('done');
    expect((await api.read('EmberFox')).body.feedback).toMatchObject([{ stars: 4, comment: 'Sorry' }]);
    expect((await api.rate('Marlow', 'EmberFox', 5, 'Really')).body.viewer.comment).toBe('Really');
    expect(await moderation.show('Nobody', 'EmberFox')).toBe('unknown');
    const [fact] = await api.published(commentShown, 1);
    expect(fact?.data).toEqual({ raterUsername: 'Marlow', username: 'EmberFox' });
  });
});

describe('barred rater', () => {
  it('cannot rate, and their ratings are neither shown nor counted', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '', Wren: '', Marlow: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'One');
    await api.rate('Marlow', 'Wren', 2);
    await api.rate('Wren', 'EmberFox', 4);
    await api.rate('EmberFox', 'Marlow', 5);
    expect(await moderation.bar('marlow')).toBe('done');

    const { body } = await api.read('EmberFox', { as: 'Marlow' });
    expect(body).toMatchObject({ average: 4.91, ratingCount: 1, viewer: null });
    expect(body.feedback.map(({ raterUsername }) => raterUsername)).toEqual(['Wren']);
    expect((await api.read('Wren')).body).toMatchObject({ average: 5, priorOnly: true, feedback: [] });
    expect((await api.read('Marlow')).body).toMatchObject({ ratingCount: 1 });
    for (const profile of ['EmberFox', 'Wren']) {
      const again = await api.rate('Marlow', profile, 1);
      expect([again.status, again.body]).toEqual([403, { error: 'The operators have barred you from rating' }]);
    }
    const [fact] = await api.published(raterBarred, 1);
    expect(fact?.data).toEqual({ raterUsername: 'Marlow', profiles: ['EmberFox', 'Wren'] });
    await api.totals({ EmberFox: { average: 4.91, ratingCount: 1 }, Wren: { average: 5, ratingCount: 0 } });
  });

  it('gets the errors for an unknown and their own profile before that for the bar', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ Marlow: '' });
    await moderation.bar('Marlow');
    expect((await api.rate('Marlow', 'Nobody', 1)).status).toBe(404);
    expect((await api.rate('Marlow', 'Marlow', 1)).status).toBe(400);
  });

  it('is barred once, and only when the user is known', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '', Quiet: '' });
    expect(await moderation.bar('Marlow')).toBe('unknown');
    await api.rate('Marlow', 'EmberFox', 1);
    expect(await moderation.bar('Marlow')).toBe('done');
    expect(await moderation.bar('Marlow')).toBe('already');
    expect(await moderation.bar('quiet')).toBe('done');
    expect((await api.rate('Quiet', 'EmberFox', 1)).status).toBe(403);
    const facts = await api.published(raterBarred, 2);
    expect(facts[1]?.data).toEqual({ raterUsername: 'Quiet', profiles: [] });
  });

  it('rates again after the bar is lifted, and the ratings count and show as before', async () => {
    const { api, moderation } = await runWithModeration();
    await api.announceUsers({ EmberFox: '', Wren: '', Marlow: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'One');
    await api.rate('Marlow', 'Wren', 2, 'Rude words');
    await moderation.hide('Marlow', 'Wren');
    const before = await Promise.all(['EmberFox', 'Wren'].map(async (name) => (await api.read(name)).body));
    expect(await moderation.unbar('Marlow')).toBe('already');
    expect(await moderation.unbar('Nobody')).toBe('unknown');
    await moderation.bar('Marlow');
    await api.totals({ EmberFox: { average: 5, ratingCount: 0 }, Wren: { average: 5, ratingCount: 0 } });
    expect(await moderation.unbar('marlow')).toBe('done');
    expect(await moderation.unbar('marlow')).toBe('already');
    await api.totals({ EmberFox: { average: 4.64, ratingCount: 1 }, Wren: { average: 4.73, ratingCount: 1 } });
    expect(await Promise.all(['EmberFox', 'Wren'].map(async (name) => (await api.read(name)).body))).toEqual(before);
    expect((await api.rate('Marlow', 'EmberFox', 5)).body.reputation).toMatchObject({ ratingCount: 1, average: 5 });
  });

  it('is barred completely when the ratings exceed one batch, and unbarred completely', async () => {
    const { api, moderation } = await runWithModeration();
    const names = Array.from({ length: 300 }, (_, index) => `user${index}`);
    await api.announceUsers(Object.fromEntries(names.map((name) => [name, ''])));
    await api.rateAll(
      names.map((name) => ['Marlow', name]),
      1,
    );
    expect(await moderation.bar('Marlow')).toBe('done');
    for (const name of ['user0', 'user299']) {
      expect((await api.read(name)).body).toMatchObject({ ratingCount: 0, average: 5, feedback: [] });
    }
    const facts = await api.published(raterBarred, 2);
    expect(facts.flatMap(({ data }) => data.profiles).sort()).toEqual(names.toSorted());
    await api.totals(Object.fromEntries(names.map((name) => [name, { average: 5, ratingCount: 0 }])));
    expect(await moderation.unbar('Marlow')).toBe('done');
    for (const name of ['user0', 'user299']) expect((await api.read(name)).body).toMatchObject({ ratingCount: 1 });
  });
});
