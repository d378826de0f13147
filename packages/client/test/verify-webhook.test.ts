import { createHmac, randomBytes } from 'node:crypto';
import { verifyWebhook, WebhookError } from '../src/index.ts';

const KEY = randomBytes(32);
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = JSON.stringify({ type: 'challenge', timestamp: '2027-01-15T08:00:00Z', data: { challenge: 'é' } });

function signed({ body = BODY, key = KEY, id = 'one', at = Math.floor(Date.now() / 1000) } = {}) {
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

describe('verifyWebhook', () => {
  it('returns the message of a request that was signed with the secret, whatever has its headers', async () => {
    const headers = signed();
    for (const given of [headers, new Headers(headers)]) {
      expect(await verifyWebhook(SECRET, given, BODY)).toEqual(JSON.parse(BODY));
    }
  });

  it('accepts one right signature of several', async () => {
    const headers = signed();
    const signatures = `v1,${randomBytes(32).toString('base64')} v2,x ${headers['webhook-signature']}`;
    const given = { ...headers, 'webhook-signature': signatures };
    expect(await verifyWebhook(SECRET, given, BODY)).toMatchObject({ type: 'challenge' });
  });

  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['another body', signed(), `${BODY} `],
    ['another key', signed({ key: randomBytes(32) }), BODY],
    ['another ID', { ...signed(), 'webhook-id': 'two' }, BODY],
    ['another time', { ...signed(), 'webhook-timestamp': String(now - 10) }, BODY],
    ['an old time', signed({ at: now - 400 }), BODY],
    ['a future time', signed({ at: now + 400 }), BODY],
    ['no headers', {}, BODY],
    ['no signature', { ...signed(), 'webhook-signature': '' }, BODY],
    ['a signature that is no base64', { ...signed(), 'webhook-signature': 'v1,%%%' }, BODY],
    ['a repeated header', { ...signed(), 'webhook-id': ['one', 'one'] }, BODY],
  ])('rejects %s', async (_, headers, body) => {
    await expect(verifyWebhook(SECRET, headers, body)).rejects.toThrow(WebhookError);
  });

  it.each(['', 'whsec_', 'whsec_%%%'])('rejects everything with the secret %j', async (secret) => {
    await expect(verifyWebhook(secret, signed(), BODY)).rejects.toThrow(WebhookError);
  });
});
