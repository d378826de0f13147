import type { WebhookMessage } from '../operations/webhook-messages.ts';
import { formatInstant } from '../primitives/time.ts';
import { httpUrl, TEMPORARY, textOf, type ChannelMessage, type ChannelType } from './channel-type.ts';

/** A program of the user, which gets signed messages as Standard Webhooks describes. */
export const webhook: ChannelType<{ url: string; secret: string }> = {
  label: 'webhook',
  about:
    'A webhook receives `POST` requests as [Standard Webhooks](https://www.standardwebhooks.com) describes: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and a JSON body of `type`, `timestamp` and `data`. The signature is the HMAC-SHA256 of `id.timestamp.body` with the `secret` of this answer. The first request has the type `challenge`, and is answered with `{"challenge": …}` of its `data`; before that nothing else is sent. Redirects are not followed. Then come notifications, test messages of the type `test`, and those of the type `channel`, which tell that another channel was added or switched off.',
  fields: {
    url: {
      schema: httpUrl,
      label: 'Address of your program',
      about: 'For programmers: an https address that the internet reaches. The program returns a challenge first',
    },
  },
  delivery: {
    target: {
      urlOf: ({ url }) => url,
      // URLs name an IPv4 address, however it was written, with a number at the end.
      isHost: (hostname) => hostname.includes('.') && !/^\[|(?:^|\.)\d+$/.test(hostname),
      message: 'must begin with https:// and have a public host name and no other port than 443',
    },
    confirms: (body, challenge) => challengeOf(body) === challenge,
    endedBy: [410],
    // A proxy answers 404 while its program is replaced, and 401 or 403 while it is set up.
    repeated: [...TEMPORARY, 401, 403, 404],
    request: async ({ url, secret }, message, { now }) => {
      const body = JSON.stringify(bodyOf(message, formatInstant(now)));
      return {
        url,
        headers: {
          'Content-Type': 'application/json',
          'webhook-id': message.id,
          'webhook-timestamp': String(now),
          'webhook-signature': `v1,${await signature(secret, `${message.id}.${now}.${body}`)}`,
        },
        body,
      };
    },
  },
};

async function signature(secret: string, text: string): Promise<string> {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from(text))).toString('base64');
}

function bodyOf(message: ChannelMessage, timestamp: string): WebhookMessage {
  const { type } = message;
  if (type === 'notification') return { type, timestamp, data: message.notification };
  if (type === 'challenge') return { type, timestamp, data: { challenge: message.challenge } };
  return { type, timestamp, data: textOf(message) };
}

function challengeOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { challenge?: unknown } | null)?.challenge;
  } catch {
    return undefined;
  }
}
