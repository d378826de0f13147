import { z } from 'zod';
import { channelFields, channelKinds, channelTypes, checkChannelFields } from '../channels/index.ts';
import { illegibleMessage, isLegible } from '../primitives/plain-text.ts';
import { isTextWithin } from '../primitives/query.ts';
import { DAY_SECONDS, timestamp } from '../primitives/time.ts';
import { networkId, titleId } from '../primitives/keys.ts';
import { count, internalGet, namedObject, none } from './fields.ts';
import { notification } from './following.ts';
import { operation } from './operation.ts';

/** Channels of one account. */
export const CHANNELS_MAX = 10;
/** Deliveries of one answer. */
export const DELIVERIES_MAX = 200;
/** How long a channel is tried before it is switched off, and how old a message may become. */
export const DELIVERY_SECONDS = DAY_SECONDS;
const NAME_MAX = 40;

/** Paths of a feed at the gateway. Its token is in the query, which no log has. */
export const feedPaths = { notifications: '/api/feeds/notifications.atom', events: '/api/feeds/events.ics' } as const;
export const feedToken = /^[\w-]{43}$/;

const channelStates = ['unconfirmed', 'active', 'off', 'stopped'] as const;
export type ChannelState = (typeof channelStates)[number];

const deliveryStates = ['waiting', 'delivered', 'refused', 'expired'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const nameMessage = `must be a name of 1 to ${NAME_MAX} characters`;
const channelName = z
  .string({ error: nameMessage })
  .trim()
  .refine((text) => text !== '' && isTextWithin(text, NAME_MAX), nameMessage)
  .refine(isLegible, illegibleMessage)
  .meta({ description: 'The caller’s name for the channel', maxLength: NAME_MAX, example: 'phone' });

const channel = namedObject('Channel', {
  name: z.string(),
  kind: z.enum(channelKinds),
  state: z.enum(channelStates).meta({
    description:
      'unconfirmed: the receiver has not returned the challenge; off: failed for a day, or its receiver is gone or refuses; stopped: by the operators',
  }),
  createdAt: timestamp,
  failingSince: timestamp.nullable().meta({ description: 'null: the last delivery succeeded' }),
  problem: z.string().nullable().meta({ description: 'The problem of the last delivery, if it failed' }),
});
export type Channel = z.output<typeof channel>;

const kindMessage = `must be one of ${channelKinds.join(', ')}`;
const newChannel = z
  .strictObject({ kind: z.enum(channelKinds, { error: kindMessage }), name: channelName, ...channelFields.shape })
  .superRefine(({ kind, name: _, ...fields }, context) => {
    checkChannelFields(kind, fields, (field, message) => {
      context.addIssue({ code: 'custom', path: [field], message });
    });
  });
export type NewChannel = z.output<typeof newChannel>;

const own = {
  session: 'required',
  audience: 'public',
  upstream: 'user-api',
  group: 'Account',
  params: none,
  query: none,
  tags: [],
} as const;
const ofChannel = { ...own, params: z.object({ channel: channelName }) } as const;
const errors = { 403: 'The caller’s data have been erased' };

function feedUrl(description: string) {
  return z
    .url()
    .nullable()
    .meta({ description: `${description}: a secret. Only in this answer.` });
}

export const listChannels = operation({
  ...own,
  id: 'listChannels',
  summary: 'Where the caller’s notifications are delivered',
  description: 'The oldest first. URLs and keys of a channel are in no answer.',
  method: 'GET',
  path: '/api/me/channels',
  response: namedObject('ChannelList', {
    channels: z.array(channel),
    limit: count.meta({ description: 'Channels that one account can have' }),
    pushKey: z.string().meta({ description: 'The `applicationServerKey` of push subscriptions, in base64url' }),
  }),
});

export const addChannel = operation({
  ...own,
  id: 'addChannel',
  summary: 'Adds a channel, or replaces the one of the same name',
  description: [
    'Each notification is delivered at least once, with the same ID when it is repeated.',
    ...channelKinds.map((kind) => channelTypes[kind].about),
    'A response of 2xx within 10 s is a success. Others are repeated with increasing delays, for at most a day; `Retry-After` is obeyed. Of statuses of 4xx, 408, 425 and 429 are repeated, and of a webhook 401, 403 and 404, too; 410, and of others 401, 403 and 404, switch the channel off; the rest refuses that message. A channel that fails for a day is switched off, too. Each one that is added or switched off is told to the caller’s other channels. One that is off is tried again when a test message is asked for.',
  ].join('\n\n'),
  method: 'POST',
  path: '/api/me/channels',
  sample: {
    body: {
      kind: 'discord',
      name: ':channel',
      url: 'https://discord.com/api/webhooks/100000000000000001/token-of-this-webhook',
    },
  },
  body: newChannel,
  response: channel
    .extend({
      secret: z.string().nullable().meta({
        description: 'Verifies the signatures of a webhook: `whsec_` and a key in base64. Only in this answer.',
      }),
      feedUrl: feedUrl('The Atom feed of a feed'),
      calendarUrl: feedUrl('The iCalendar feed of a feed'),
    })
    .meta({ id: 'AddedChannel' }),
  errors: {
    ...errors,
    400: `The caller has ${CHANNELS_MAX} channels, has added too many in the last hour, or the URL is not allowed`,
  },
});

export const removeChannel = operation({
  ...ofChannel,
  id: 'removeChannel',
  summary: 'Removes a channel, with what it has not delivered',
  method: 'DELETE',
  path: '/api/me/channels/:channel',
  response: namedObject('ChannelRemoval', {
    removed: z.boolean().meta({ description: 'False: there was none of this name' }),
  }),
  errors: { 403: 'The operators have stopped the channel' },
});

export const testChannel = operation({
  ...ofChannel,
  id: 'testChannel',
  summary: 'Sends a test message through a channel',
  description:
    'At most one a minute. An unconfirmed webhook gets another challenge instead. A channel that was switched off is tried again. A feed gets no messages.',
  method: 'POST',
  path: '/api/me/channels/:channel/test',
  response: channel,
  errors: {
    400: 'The channel is a feed, or too many challenges were asked for in the last hour',
    403: 'The operators have stopped the channel',
    404: 'The caller has no channel of this name',
  },
});

export const listDeliveries = operation({
  ...ofChannel,
  id: 'listDeliveries',
  summary: 'Deliveries of a channel, newest first: those that succeeded, wait, or were given up',
  method: 'GET',
  path: '/api/me/channels/:channel/deliveries',
  response: namedObject('DeliveryList', {
    deliveries: z
      .array(
        namedObject('Delivery', {
          id: z.string().meta({ description: 'The `id` of the notification, and the `webhook-id`' }),
          type: z.enum(['notification', 'test', 'challenge', 'channel']),
          dueAt: timestamp,
          state: z.enum(deliveryStates).meta({ description: 'expired: given up' }),
          attempts: count,
          attemptedAt: timestamp.nullable().meta({ description: 'The last attempt' }),
          result: z.string().nullable().meta({ description: 'The result of the last attempt', example: 'HTTP 204' }),
        }),
      )
      .max(DELIVERIES_MAX),
  }),
  errors: { 404: 'The caller has no channel of this name' },
});

const ofFeed = {
  ...internalGet,
  upstream: 'user-api',
  params: z.object({ feed: z.string().regex(feedToken).meta({ description: 'Hash of its token' }) }),
  query: none,
  tags: [],
} as const;

export const listFeedNotifications = operation({
  ...ofFeed,
  id: 'listFeedNotifications',
  summary: 'Notifications of the owner of a feed, newest first',
  path: '/internal/feeds/:feed/notifications',
  response: z.strictObject({ notifications: z.array(notification) }),
});

export const listFeedEvents = operation({
  ...ofFeed,
  id: 'listFeedEvents',
  summary: 'Events that the owner of a feed follows, and games whose events they follow',
  path: '/internal/feeds/:feed/events',
  response: z.strictObject({ eventIds: z.array(networkId), titleIds: z.array(titleId) }),
});
