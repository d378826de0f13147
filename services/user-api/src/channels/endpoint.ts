import { discordWebhook, type Notification, type NewChannel } from '@lobbystats/contracts';
import { randomBytes } from 'node:crypto';
import type { ChannelRecord } from './channel-store.ts';
import type { SealedBox } from './sealed-box.ts';

/** The secret part of a channel. */
export type Endpoint =
  | { readonly kind: 'webpush'; readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  /** `webhook`: ID and token. */
  | { readonly kind: 'discord'; readonly webhook: string }
  /** `secret`: of signatures, `whsec_` and base64. */
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string };

/** `challenge` asks the receiver of a webhook to return a text. */
export type Message =
  | { readonly type: 'notification'; readonly id: string; readonly notification: Notification }
  | { readonly type: 'test'; readonly id: string; readonly title: string; readonly text: string; readonly url: string }
  | { readonly type: 'challenge'; readonly id: string; readonly challenge: string };

/**
 * `refused`: this message is not repeated. `failed`: it is, after `retryAfterMs` if that is longer than the backoff.
 * `gone`: nothing will succeed.
 */
export interface Outcome {
  readonly kind: 'delivered' | 'refused' | 'failed' | 'gone';
  /** For the owner, such as `HTTP 503`. */
  readonly result: string;
  readonly retryAfterMs?: number | undefined;
}

export interface Endpoints {
  /** Whether users may add this URL. */
  isAllowed(kind: 'webpush' | 'webhook', url: URL): boolean;
  /** Never rejects. */
  send(endpoint: Endpoint, message: Message): Promise<Outcome>;
}

const SECRET_BYTES = 32;

export function endpointOf({ kind, url = '', subscription }: NewChannel): Endpoint {
  if (subscription !== undefined) return { kind: 'webpush', endpoint: subscription.endpoint, ...subscription.keys };
  if (kind === 'discord') return { kind, webhook: discordWebhook(url) ?? '' };
  return { kind: 'webhook', url, secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}` };
}

type Sealed = Pick<ChannelRecord, 'id' | 'userKey'>;

export function sealEndpoint(box: SealedBox, endpoint: Endpoint, channel: Sealed): string {
  return box.seal(JSON.stringify(endpoint), contextOf(channel));
}

export function openEndpoint(box: SealedBox, channel: Sealed & Pick<ChannelRecord, 'sealed'>): Endpoint | undefined {
  const text = box.open(channel.sealed, contextOf(channel));
  return text === undefined ? undefined : (JSON.parse(text) as Endpoint);
}

/** A sealed endpoint that is moved to another channel opens no more. */
function contextOf({ id, userKey }: Sealed): string {
  return `${id} ${userKey}`;
}
