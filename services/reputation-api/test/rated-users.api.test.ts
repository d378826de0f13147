import { ERASED_MESSAGE, ratingStored, userAllowed } from '@lobbystats/contracts';
import { runReputation } from './running-reputation.ts';

describe('users who can be rated', () => {
  it('are those published by user-api, in any spelling', async () => {
    const api = await runReputation();
    expect((await api.read('EmberFox')).status).toBe(404);
    await api.announceUsers({ EmberFox: '' });
    expect((await api.read('eMBERfOX')).status).toBe(200);
  });

  it('have the name and gamertag of the highest revision', async () => {
    const api = await runReputation();
    await api.announceUsers({ EMBERFOX: 'New', Marlow: 'Old' }, 7);
    await api.announceUsers({ EmberFox: 'Old' }, 3);
    expect((await api.rate('emberfox', 'Marlow', 5)).status).toBe(200);
    expect((await api.read('Marlow')).body.feedback[0]?.raterUsername).toBe('EMBERFOX');
    await api.announceUsers({ Marlow: 'New' }, 8);
    expect((await api.rate('emberfox', 'Marlow', 5)).status).toBe(400);
  });

  it('keep ratings given and received when they are published again', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '', Wren: '' });
    await api.rate('Marlow', 'EmberFox', 3);
    await api.announceUsers({ Marlow: 'Marlow' }, 2);
    await api.rate('EmberFox', 'Marlow', 2);
    await api.announceUsers({ EMBERFOX: 'x', marlow: 'y' }, 3);
    expect((await api.read('EmberFox')).body).toMatchObject({
      ratingCount: 1,
      feedback: [{ raterUsername: 'marlow' }],
    });
    expect((await api.read('Marlow')).body).toMatchObject({
      ratingCount: 1,
      feedback: [{ raterUsername: 'EMBERFOX' }],
    });
    await api.rate('marlow', 'Wren', 5);
    const messages = await api.published(ratingStored, 3);
    expect(messages[2]?.data.raters).toEqual([{ username: 'marlow', ratingsGiven: 2 }]);
  });

  it('have their new spelling on all ratings they have given, over several batches', async () => {
    const api = await runReputation();
    const names = Array.from({ length: 300 }, (_, index) => `user${index}`);
    await api.announceUsers(Object.fromEntries(names.map((name) => [name, ''])));
    await api.rateAll(
      names.map((name) => ['marlow', name]),
      1,
    );
    await api.announceUsers({ Marlow: '' }, 2);
    for (const name of ['user0', 'user150', 'user299']) {
      expect((await api.read(name)).body.feedback).toMatchObject([{ raterUsername: 'Marlow', stars: 1 }]);
    }
  });
});

describe('a user who is retired', () => {
  it('is unknown, and has the ratings again once known again', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: 'Fox', Wren: '', Marlow: '' }, 5);
    await api.rate('Marlow', 'EmberFox', 1);
    await api.announceUsers({ Marlow: '' }, 7);
    await api.retireUsers(['EmberFox', 'Wren', 'Marlow', 'Nobody'], 6);
    expect((await api.read('EmberFox')).status).toBe(404);
    expect((await api.read('Wren')).status).toBe(404);
    expect((await api.read('Marlow')).status).toBe(200);
    await api.announceUsers({ EmberFox: 'Fox' }, 8);
    expect((await api.read('EmberFox')).body).toMatchObject({ ratingCount: 1, feedback: [{ stars: 1 }] });
  });
});

describe('erased user', () => {
  it('is unknown, and has no ratings given or received', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: 'Ember Fox', Wren: '', Marlow: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'One');
    await api.rate('Marlow', 'Wren', 2);
    await api.rate('Wren', 'EmberFox', 4);
    await api.rate('Wren', 'Marlow', 3);
    await api.eraseUser('MARLOW');
    expect((await api.read('Marlow')).status).toBe(404);
    const { body } = await api.read('EmberFox');
    expect(body).toMatchObject({ average: 4.91, ratingCount: 1, feedback: [{ raterUsername: 'Wren' }] });
    expect((await api.read('Wren')).body).toMatchObject({ average: 5, ratingCount: 0, feedback: [] });
    await api.totals({ EmberFox: { average: 4.91, ratingCount: 1 }, Wren: { average: 5, ratingCount: 0 } });
    await api.rate('Wren', 'EmberFox', 5);
    await api.totals({ EmberFox: { average: 5, ratingCount: 1 } });
    const last = api.log.filter(({ type }) => type === ratingStored.key).at(-1);
    expect(last?.data).toMatchObject({ raters: [{ username: 'Wren', ratingsGiven: 1 }] });
  });

  it('stays erased when late messages arrive', async () => {
    const api = await runReputation();
    await api.announceUsers({ Marlow: 'Marlow' }, 4);
    await api.eraseUser('Marlow');
    await api.eraseUser('Marlow');
    await api.announceUsers({ Marlow: 'Marlow', Wren: '' }, 4);
    await api.announceUsers({ Marlow: 'Marlow' }, 3);
    expect((await api.read('Marlow')).status).toBe(404);
    expect((await api.read('Wren')).status).toBe(200);
    const refused = await api.rate('Marlow', 'Wren', 5);
    expect([refused.status, refused.body]).toEqual([403, { error: ERASED_MESSAGE }]);
  });

  it('rates and is rated again once the operators allow the name', async () => {
    const api = await runReputation();
    await api.announceUsers({ Marlow: 'Marlow', Wren: '' }, 4);
    await api.eraseUser('Marlow');
    await api.bus.publish(userAllowed, { username: 'MARLOW' });
    await api.announceUsers({ Marlow: 'Marlow' }, 5);
    expect((await api.read('Marlow')).body).toMatchObject({ ratingCount: 0 });
    expect((await api.rate('Marlow', 'Wren', 5)).status).toBe(200);
    await api.eraseUser('Marlow');
    expect((await api.rate('Marlow', 'Wren', 5)).status).toBe(403);
  });

  it('is erased completely when the ratings exceed one batch', async () => {
    const api = await runReputation();
    const names = Array.from({ length: 300 }, (_, index) => `user${index}`);
    await api.announceUsers(Object.fromEntries([...names, 'Marlow'].map((name) => [name, ''])));
    const given = names.map((name) => ['Marlow', name] as const);
    const received = names.map((name) => [name, 'Marlow'] as const);
    await Promise.all([api.rateAll(given, 1), api.rateAll(received, 2)]);
    await api.eraseUser('Marlow');
    expect((await api.read('Marlow')).status).toBe(404);
    expect((await api.read('user299')).body).toMatchObject({ ratingCount: 0, feedback: [] });
    await api.totals(Object.fromEntries(names.map((name) => [name, { average: 5, ratingCount: 0 }])));
  });
});
