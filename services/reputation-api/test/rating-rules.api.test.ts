import { keyOf, runReputation, type RateOptions } from './running-reputation.ts';

interface Fault {
  error: string;
}

/** Rates as a user who may rate; returns status and error after checking that nothing was stored. */
async function rateAndExpectNoEffect(options: RateOptions, profile = 'EmberFox', rater = 'Marlow') {
  const api = await runReputation();
  await api.announceUsers({ EmberFox: 'Ember Fox', 'Ember Alt': 'EMBER FOX ', Marlow: 'Marlow' });
  const { status, body } = await api.post<Fault>(rater, profile, options);
  expect((await api.read('EmberFox')).body).toMatchObject({ ratingCount: 0, feedback: [] });
  return { status, ...body };
}

const good = { stars: 3 };

describe('a rating', () => {
  it('needs a session', async () => {
    expect(await rateAndExpectNoEffect({ key: null, body: good })).toEqual({
      status: 400,
      error: 'sessionKey is required',
    });
    expect(await rateAndExpectNoEffect({ key: 'stolen', body: good })).toEqual({
      status: 401,
      error: 'Invalid session',
    });
  });

  it.each([{ $gt: '' }, ['key'], 1, true])('rejects %j as a session key', async (sessionKey) => {
    expect((await rateAndExpectNoEffect({ key: null, body: { ...good, sessionKey } })).status).toBe(400);
  });

  it('accepts the session key in the body', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    const body = { ...good, sessionKey: keyOf('Marlow') };
    expect((await api.post('', 'EmberFox', { key: null, body })).status).toBe(200);
  });

  it('of an unknown user is 404, even if that user has rated others', async () => {
    const unknown = { status: 404, error: 'Unknown username' };
    expect(await rateAndExpectNoEffect({ body: good }, 'Nobody')).toEqual(unknown);
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    await api.rate('Stranger', 'EmberFox', 5);
    expect((await api.read('Stranger')).status).toBe(404);
    expect((await api.rate('Marlow', 'Stranger', 5)).status).toBe(404);
  });

  it.each(['Ｅmberfox', 'ЕmberFox', 'a/b', '', '%00', 'x'.repeat(33), '..', '__proto__'])(
    'of the invalid or unknown name %j has no effect',
    async (name) => {
      const { status } = await rateAndExpectNoEffect({ body: good }, name === '' ? ' ' : name);
      expect([400, 404]).toContain(status);
    },
  );

  it.each(['EmberFox', 'emberfox', ' EMBERFOX ', 'EmberFox '])(
    'of the own profile is rejected: %j',
    async (profile) => {
      const own = { status: 400, error: "You can't rate yourself" };
      expect(await rateAndExpectNoEffect({ body: good }, profile, 'EmberFox')).toEqual(own);
    },
  );

  it('of a profile with the same gamertag is rejected in any spelling', async () => {
    const own = { status: 400, error: "You can't rate yourself" };
    expect(await rateAndExpectNoEffect({ body: good }, 'EmberFox', 'ember  alt')).toEqual(own);
  });

  it('of another user is accepted when neither gamertag is known', async () => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '', Marlow: '' });
    expect((await api.rate('Marlow', 'EmberFox', 5)).status).toBe(200);
  });

  it.each([0, 6, 3.5, '5', null, [5], { $gt: 0 }, -1, 1e300, undefined])('rejects %j as stars', async (stars) => {
    const { status, error } = await rateAndExpectNoEffect({ body: { stars } });
    expect([status, error]).toEqual([400, 'stars must be an integer from 1 to 5']);
  });

  it.each([{ $gt: '' }, ['text'], 1, 'x'.repeat(501), '🏁'.repeat(501), '\ud800'])(
    'rejects the comment %j',
    async (comment) => {
      const { status, error } = await rateAndExpectNoEffect({ body: { ...good, comment } });
      expect([status, error]).toEqual([400, 'comment must be a text of at most 500 characters']);
    },
  );

  it.each(['NUL \0', 'clear \u001b[2J', 'bell \u0007', 'C1 \u009b', `a${'\u0301'.repeat(160)}`])(
    'rejects the comment %j, which controls a terminal or covers lines around it',
    async (comment) => {
      const { status, error } = await rateAndExpectNoEffect({ body: { ...good, comment } });
      expect([status, error]).toEqual([400, expect.stringMatching(/^comment must have no control characters/)]);
    },
  );

  it.each(['username', 'console_verified', 'viewer', '__proto__', 'createdAt'])(
    'rejects the field %s',
    async (field) => {
      const { status } = await rateAndExpectNoEffect({ body: `{"stars":3,"${field}":1}` });
      expect(status).toBe(400);
      expect(Object.hasOwn(Object.prototype, 'stars')).toBe(false);
    },
  );

  it('must be JSON of at most 64 KiB', async () => {
    const asText = { headers: { 'content-type': 'text/plain' } };
    expect((await rateAndExpectNoEffect({ body: good, ...asText, key: null })).status).toBe(415);
    expect((await rateAndExpectNoEffect({ body: { ...good, comment: 'x'.repeat(70_000) }, key: null })).status).toBe(
      413,
    );
    expect((await rateAndExpectNoEffect({ body: '{"stars":' })).status).toBe(400);
  });

  it('is checked for its session before its body and its profile', async () => {
    expect((await rateAndExpectNoEffect({ key: 'stolen', body: { stars: 9 } }, 'Nobody')).status).toBe(401);
    expect((await rateAndExpectNoEffect({ body: { stars: 9 } }, 'Nobody')).status).toBe(400);
  });
});

describe('a comment', () => {
  it.each([
    ['<script>alert(1)</script> & "quotes"', '<script>alert(1)</script> & "quotes"'],
    ['🏁'.repeat(500), '🏁'.repeat(500)],
    ['x'.repeat(500), 'x'.repeat(500)],
    [`  ${'x'.repeat(500)}  `, 'x'.repeat(500)],
    ['Two\nlines,\ta tab, \u202e, a\u0301\u0302 and \ufeff!', 'Two\nlines,\ta tab, \u202e, a\u0301\u0302 and \ufeff!'],
    [`'); DROP TABLE rating; --`, `'); DROP TABLE rating; --`],
    ['$where: {"$gt": ""}', '$where: {"$gt": ""}'],
    [' \t\n\u3000', null],
    ['', null],
    [null, null],
  ])('is stored as text, trimmed, null when blank: %j', async (comment, expected) => {
    const api = await runReputation();
    await api.announceUsers({ EmberFox: '' });
    expect((await api.rate('Marlow', 'EmberFox', 3, comment)).body.viewer.comment).toBe(expected);
    expect((await api.read('EmberFox')).body.feedback[0]?.comment).toBe(expected);
  });
});
