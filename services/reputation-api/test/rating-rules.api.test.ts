import { keyOf, runReputation, type RateOptions } from './running-reputation.ts';

interface Fault {
  error: string;
}

/** Of somebody who could rate otherwise; tells what was said, and that nothing came of it. */
async function refusal(options: RateOptions, profile = 'EmberFox', rater = 'Marlow') {
  const api = await runReputation();
  await api.know({ EmberFox: 'Ember Fox', 'Ember Alt': 'EMBER FOX ', Marlow: 'Marlow' });
  const { status, body } = await api.post<Fault>(rater, profile, options);
  expect((await api.read('EmberFox')).body).toMatchObject({ ratingCount: 0, feedback: [] });
  return { status, ...body };
}

const good = { stars: 3 };

describe('a rating', () => {
  it('needs a session', async () => {
    expect(await refusal({ key: null, body: good })).toEqual({ status: 400, error: 'sessionKey is required' });
    expect(await refusal({ key: 'stolen', body: good })).toEqual({ status: 401, error: 'Invalid session' });
  });

  it.each([{ $gt: '' }, ['key'], 1, true])('takes no %j for a session key', async (sessionKey) => {
    expect((await refusal({ key: null, body: { ...good, sessionKey } })).status).toBe(400);
  });

  it('is taken with the key in the body, too', async () => {
    const api = await runReputation();
    await api.know({ EmberFox: '' });
    const body = { ...good, sessionKey: keyOf('Marlow') };
    expect((await api.post('', 'EmberFox', { key: null, body })).status).toBe(200);
  });

  it('of somebody nobody knows is 404, whoever has rated', async () => {
    const unknown = { status: 404, error: 'Unknown username' };
    expect(await refusal({ body: good }, 'Nobody')).toEqual(unknown);
    const api = await runReputation();
    await api.know({ EmberFox: '' });
    await api.rate('Stranger', 'EmberFox', 5);
    expect((await api.read('Stranger')).status).toBe(404);
    expect((await api.rate('Marlow', 'Stranger', 5)).status).toBe(404);
  });

  it.each(['Ｅmberfox', 'ЕmberFox', 'a/b', '', '%00', 'x'.repeat(33), '..', '__proto__'])(
    'of %j has no effect',
    async (name) => {
      const { status } = await refusal({ body: good }, name === '' ? ' ' : name);
      expect([400, 404]).toContain(status);
    },
  );

  it.each(['EmberFox', 'emberfox', ' EMBERFOX ', 'EmberFox '])('of oneself is refused: %j', async (profile) => {
    const own = { status: 400, error: "You can't rate yourself" };
    expect(await refusal({ body: good }, profile, 'EmberFox')).toEqual(own);
  });

  it('of oneself is refused by the network’s gamertag, in any spelling', async () => {
    const own = { status: 400, error: "You can't rate yourself" };
    expect(await refusal({ body: good }, 'EmberFox', 'ember  alt')).toEqual(own);
  });

  it('of another is taken where neither gamertag is known', async () => {
    const api = await runReputation();
    await api.know({ EmberFox: '', Marlow: '' });
    expect((await api.rate('Marlow', 'EmberFox', 5)).status).toBe(200);
  });

  it.each([0, 6, 3.5, '5', null, [5], { $gt: 0 }, -1, 1e300, undefined])('takes no %j for stars', async (stars) => {
    const { status, error } = await refusal({ body: { stars } });
    expect([status, error]).toEqual([400, 'stars must be an integer from 1 to 5']);
  });

  it.each([{ $gt: '' }, ['text'], 1, 'x'.repeat(501), '🏁'.repeat(501), '\ud800'])(
    'takes no such comment: %j',
    async (comment) => {
      const { status, error } = await refusal({ body: { ...good, comment } });
      expect([status, error]).toEqual([400, 'comment must be a text of at most 500 characters']);
    },
  );

  it.each(['username', 'console_verified', 'viewer', '__proto__', 'createdAt'])('takes no field %s', async (field) => {
    const { status } = await refusal({ body: `{"stars":3,"${field}":1}` });
    expect(status).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'stars')).toBe(false);
  });

  it('is JSON of at most 64 KiB', async () => {
    const asText = { headers: { 'content-type': 'text/plain' } };
    expect((await refusal({ body: good, ...asText, key: null })).status).toBe(415);
    expect((await refusal({ body: { ...good, comment: 'x'.repeat(70_000) }, key: null })).status).toBe(413);
    expect((await refusal({ body: '{"stars":' })).status).toBe(400);
  });

  it('is told of its session before anything else', async () => {
    expect((await refusal({ key: 'stolen', body: { stars: 9 } }, 'Nobody')).status).toBe(401);
    expect((await refusal({ body: { stars: 9 } }, 'Nobody')).status).toBe(400);
  });
});

describe('a comment', () => {
  it.each([
    ['<script>alert(1)</script> & "quotes"', '<script>alert(1)</script> & "quotes"'],
    ['🏁'.repeat(500), '🏁'.repeat(500)],
    ['x'.repeat(500), 'x'.repeat(500)],
    [`  ${'x'.repeat(500)}  `, 'x'.repeat(500)],
    ['NUL \0 and \u202e and \ufeff!', 'NUL \0 and \u202e and \ufeff!'],
    [`'); DROP TABLE rating; --`, `'); DROP TABLE rating; --`],
    ['$where: {"$gt": ""}', '$where: {"$gt": ""}'],
    [' \t\n\u3000', null],
    ['', null],
    [null, null],
  ])('is text, as it was sent: %j', async (comment, shown) => {
    const api = await runReputation();
    await api.know({ EmberFox: '' });
    expect((await api.rate('Marlow', 'EmberFox', 3, comment)).body.viewer.comment).toBe(shown);
    expect((await api.read('EmberFox')).body.feedback[0]?.comment).toBe(shown);
  });
});
