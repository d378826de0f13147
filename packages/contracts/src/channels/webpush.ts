import { z } from 'zod';
import { formatInstant, parseInstant } from '../primitives/time.ts';
import {
  httpUrl,
  REFUSED_FOR_GOOD,
  shortened,
  TEMPORARY,
  textOf,
  type ChannelType,
  type PushSubscription,
} from './channel-type.ts';

/** Those of Chromium, Firefox, Safari and Edge. */
const PUSH_SERVICES =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)+push\.services\.mozilla\.com|(?:[\w-]+\.)*push\.apple\.com|(?:[\w-]+\.)*notify\.windows\.com)$/;
/** A push that waits longer is no news. */
const TTL_SECONDS = 14_400;
/** A push holds 3993 bytes. */
const [TITLE_MAX, TEXT_MAX] = [200, 600];

const keyMessage = 'must be a key of the push subscription in base64url';
const pushKey = (bytes: number) =>
  z
    .string({ error: keyMessage })
    .regex(/^[\w-]+={0,2}$/, keyMessage)
    .refine((text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) === bytes, keyMessage);

/** Notifications of a browser, while no page is open. */
export const webpush: ChannelType<{ subscription: PushSubscription }> = {
  label: 'browser',
  about: 'Web Push shows notifications in a browser: a push of an ID replaces the one that is shown.',
  fields: {
    subscription: {
      schema: z.strictObject(
        { endpoint: httpUrl, keys: z.strictObject({ p256dh: pushKey(65), auth: pushKey(16) }) },
        { error: 'must be a push subscription' },
      ),
      about: 'A subscription of a browser, for Web Push: endpoint and keys of its `toJSON()`',
    },
  },
  delivery: {
    target: {
      urlOf: ({ subscription }) => subscription.endpoint,
      isHost: (hostname) => PUSH_SERVICES.test(hostname),
      message: 'endpoint must be of a known push service',
    },
    endedBy: REFUSED_FOR_GOOD,
    repeated: TEMPORARY,
    request: ({ subscription }, message, site) => {
      const { title, text, url } = textOf(message);
      const news = message.type === 'notification' ? message.notification : undefined;
      const restSeconds = typeof news?.expiresAt === 'string' ? parseInstant(news.expiresAt) - site.now : TTL_SECONDS;
      return site.encryptPush({
        subscription,
        payload: JSON.stringify({
          ...{ id: message.id, title: shortened(title, TITLE_MAX), text: shortened(text, TEXT_MAX), url },
          ...(news !== undefined && { at: formatInstant(parseInstant(news.happenedAt)) }),
        }),
        ttlSeconds: Math.max(0, Math.min(restSeconds, TTL_SECONDS)),
        // A repetition replaces a push that the browser has not fetched yet.
        topic: message.id.replaceAll('-', '').slice(0, 32),
      });
    },
  },
};
