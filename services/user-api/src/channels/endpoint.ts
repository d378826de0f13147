import { randomBytes } from 'node:crypto';
import { channelTypes, type ChannelKind, type ChannelMessage, type NewChannel } from '@lobbystats/contracts';
import type { ChannelRecord } from './channel-store.ts';
import type { SealedBox } from './sealed-box.ts';

/** The secret part of a channel. */
export interface Endpoint {
  readonly kind: ChannelKind;
  /** Those of its kind; and `secret`, of signatures, `whsec_` and base64. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * `refused`: this message is not repeated. `failed`: it is, after `retryAfterMs` if that is longer than the backoff.
 * `gone`: nothing will succeed.
 */
export interface Outcome {
  readonly kind: 'delivered' | 'refused' | 'failed' | 'gone';
  /** For the owner, such as `HTTP 503`. */
  readonly result: string;
  readonly retryAfterMs?: number | undefined;
  /** Whether the wait is for the address alone, not for its host. */
  readonly isOfAddress?: boolean;
}

/** The host and the address that requests go to. */
export interface Receiver {
  readonly host: string;
  readonly address: string;
}

export interface Endpoints {
  /** @throws AppError `invalid` for a URL that users may not add */
  check(endpoint: Endpoint): void;
  /** Never rejects. */
  send(endpoint: Endpoint, message: ChannelMessage): Promise<Outcome>;
}

const SECRET_BYTES = 32;

export function endpointOf({ kind, name: _, ...fields }: NewChannel): Endpoint {
  if (!isChallenged(kind)) return { kind, fields };
  return { kind, fields: { ...fields, secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}` } };
}

/** Whether its receiver may be somebody else's: it gets messages once it has returned a challenge, and has a secret. */
export function isChallenged(kind: ChannelKind): boolean {
  return channelTypes[kind].delivery?.confirms !== undefined;
}

export function receiverOf({ kind, fields }: Endpoint): Receiver {
  const { target } = channelTypes[kind].delivery ?? {};
  if (target === undefined) return { host: kind, address: `${kind} ${JSON.stringify(fields)}` };
  const address = target.urlOf(fields);
  return { host: new URL(address).host, address };
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
