import { ratingStored } from '@lobbystats/contracts';
import { runReputation } from './running-reputation.ts';

describe('who can be rated', () => {
  it('is whom user-api tells of, in any spelling', async () => {
    const api = await runReputation();
    expect((await api.read('EmberFox')).status).toBe(404);
    await api.know({ EmberFox: '' });
    expect((await api.read('eMBERfOX')).status).toBe(200);
  });

  it('has the name and gamertag of the highest revision', async () => {
    const api = await runReputation();
    await api.know({ EMBERFOX: 'New', Marlow: 'Old' }, 7);
    await api.know({ EmberFox: 'Old' }, 3);
    expect((await api.rate('emberfox', 'Marlow', 5)).status).toBe(200);
    expect((await api.read('Marlow')).body.feedback[0]?.raterUsername).toBe('EMBERFOX');
    await api.know({ Marlow: 'New' }, 8);
    expect((await api.rate('emberfox', 'Marlow', 5)).status).toBe(400);
  });

  it('keeps what others have given them, and has given others, when they are told of again', async () => {
    const api = await runReputation();
    await api.know({ EmberFox: '', Wren: '' });
    await api.rate('Marlow', 'EmberFox', 3);
    await api.know({ Marlow: 'Marlow' }, 2);
    await api.rate('EmberFox', 'Marlow', 2);
    await api.know({ EMBERFOX: 'x', marlow: 'y' }, 3);
    expect((await api.read('EmberFox')).body).toMatchObject({
      ratingCount: 1,
      feedback: [{ raterUsername: 'marlow' }],
    });
    expect((await api.read('Marlow')).body).toMatchObject({
      ratingCount: 1,
      feedback: [{ raterUsername: 'EMBERFOX' }],
    });
    await api.rate('marlow', 'Wren', 5);
    const said = await api.said(ratingStored, 3);
    expect(said[2]?.data.raters).toEqual([{ username: 'marlow', ratingsGiven: 2 }]);
  });

  it('gives all that they have given their new spelling, however much it is', async () => {
    const api = await runReputation();
    const names = Array.from({ length: 300 }, (_, index) => `user${index}`);
    await api.know(Object.fromEntries(names.map((name) => [name, ''])));
    await Promise.all(names.map((name) => api.rate('marlow', name, 1)));
    await api.know({ Marlow: '' }, 2);
    for (const name of ['user0', 'user150', 'user299']) {
      expect((await api.read(name)).body.feedback).toMatchObject([{ raterUsername: 'Marlow', stars: 1 }]);
    }
  });
});

/** Told of ratings that are no more. */
const isTakenAway = ({ raters }: { raters: readonly object[] }) => raters.length === 0;

describe('somebody who is forgotten', () => {
  it('is nobody, has given nothing and was given nothing', async () => {
    const api = await runReputation();
    await api.know({ EmberFox: 'Ember Fox', Wren: '', Marlow: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'One');
    await api.rate('Marlow', 'Wren', 2);
    await api.rate('Wren', 'EmberFox', 4);
    await api.rate('Wren', 'Marlow', 3);
    await api.forget('MARLOW');
    expect((await api.read('Marlow')).status).toBe(404);
    const { body } = await api.read('EmberFox');
    expect(body).toMatchObject({ average: 4.91, ratingCount: 1, feedback: [{ raterUsername: 'Wren' }] });
    expect((await api.read('Wren')).body).toMatchObject({ average: 5, ratingCount: 0, feedback: [] });
    const said = await api.said(ratingStored, 6);
    expect(said.slice(4).map(({ data }) => data)).toEqual([
      { username: 'EmberFox', average: 4.91, ratingCount: 1, raters: [] },
      { username: 'Wren', average: 5, ratingCount: 0, raters: [] },
    ]);
    await api.rate('Wren', 'EmberFox', 5);
    expect((await api.said(ratingStored, 7)).at(-1)?.data.raters).toEqual([{ username: 'Wren', ratingsGiven: 1 }]);
  });

  it('stays so, whatever comes late', async () => {
    const api = await runReputation();
    await api.know({ Marlow: 'Marlow' }, 4);
    await api.forget('Marlow');
    await api.forget('Marlow');
    await api.know({ Marlow: 'Marlow', Wren: '' }, 4);
    await api.know({ Marlow: 'Marlow' }, 3);
    expect((await api.read('Marlow')).status).toBe(404);
    expect((await api.read('Wren')).status).toBe(200);
    const refused = await api.rate('Marlow', 'Wren', 5);
    expect([refused.status, refused.body]).toEqual([403, { error: 'You may not rate' }]);
  });

  it('may have given and been given more than one change takes', async () => {
    const api = await runReputation();
    const names = Array.from({ length: 300 }, (_, index) => `user${index}`);
    await api.know(Object.fromEntries([...names, 'Marlow'].map((name) => [name, ''])));
    await Promise.all(names.flatMap((name) => [api.rate('Marlow', name, 1), api.rate(name, 'Marlow', 2)]));
    await api.forget('Marlow');
    expect((await api.read('Marlow')).status).toBe(404);
    expect((await api.read('user299')).body).toMatchObject({ ratingCount: 0, feedback: [] });
    await api.said(ratingStored, 300, isTakenAway);
  });
});
