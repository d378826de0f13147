import { z } from 'zod';
import { instant } from '../primitives/time.ts';
import { notification } from './following.ts';

const NOTIFICATION = {
  ...{
    id: '2f6a7f2e-8f0c-4a8e-9a53-0c4f1f7f5d10',
    at: '2027-01-15 08:00:00',
    happenedAt: '2027-01-15 08:00:00',
    expiresAt: '2027-01-15 08:30:00',
    kind: 'game',
    target: '4d530064',
  },
  ...{
    rule: 'lobbyPlayers',
    title: 'Lobby in Harbor Racing',
    text: 'Marlow has a lobby with 4 of 8 players',
    count: 1,
  },
  url: 'https://stats.example/game/4d530064',
} as const;
const TEST = {
  title: 'Test message',
  text: 'Notifications arrive here.',
  url: 'https://stats.example/me/following',
} as const;
const CHANNEL = {
  title: 'A channel was added',
  text: 'Discord, called My server. If this was not you, remove it, and sign out everywhere.',
  url: 'https://stats.example/me/following',
} as const;

const at = instant.meta({ description: 'When it is sent, UTC', example: '2027-01-15T08:00:00Z' });

/** Bodies of the requests to webhooks, by their type. */
export const webhookMessages = {
  notification: {
    summary: 'Something that the owner follows has happened.',
    body: z.strictObject({ type: z.literal('notification'), timestamp: at, data: notification }),
    example: NOTIFICATION,
  },
  test: {
    summary: 'The owner has asked for a test message.',
    body: z.strictObject({
      type: z.literal('test'),
      timestamp: at,
      data: z.strictObject({ title: z.string(), text: z.string(), url: z.url() }),
    }),
    example: TEST,
  },
  channel: {
    summary: 'Another channel of the owner was added, replaced or switched off.',
    body: z.strictObject({
      type: z.literal('channel'),
      timestamp: at,
      data: z.strictObject({ title: z.string(), text: z.string(), url: z.url() }),
    }),
    example: CHANNEL,
  },
  challenge: {
    summary: 'The first message. A response of 2xx whose JSON body is the `data` confirms the webhook.',
    body: z.strictObject({
      type: z.literal('challenge'),
      timestamp: at,
      data: z.strictObject({ challenge: z.string() }),
    }),
    example: { challenge: 'q0n4Yd2mS7x1uV5tB8zKfA' },
  },
} as const;

export type WebhookMessageType = keyof typeof webhookMessages;
export type WebhookMessage = z.output<(typeof webhookMessages)[WebhookMessageType]['body']>;

/** Headers of these requests, as Standard Webhooks names them. */
export const webhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'The same when a message is repeated' }),
  'webhook-timestamp': z.string().meta({ description: 'When it is sent, in epoch seconds' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the HMAC-SHA256 in base64 of the ID, the timestamp and the body, joined by points; the key is what follows `whsec_` in the secret, in base64',
  }),
});
