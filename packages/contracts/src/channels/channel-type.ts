import { z } from 'zod';
import type { Notification } from '../operations/following.ts';
import type { EpochSeconds } from '../primitives/time.ts';

/** A message that a channel delivers. `challenge` asks the receiver to return a text. */
export type ChannelMessage =
  | { readonly type: 'notification'; readonly id: string; readonly notification: Notification }
  | (Pick<Notification, 'id' | 'title' | 'text' | 'url'> & { readonly type: 'test' | 'channel' })
  | { readonly type: 'challenge'; readonly id: string; readonly challenge: string };

/** One field that users give, beside kind and name. */
interface ChannelField<Value> {
  /** Equal for all kinds that have a field of this name. */
  readonly schema: z.ZodType<Value>;
  /** For the API's documents, and below the field in the form of the site. */
  readonly about: string;
  /** In the form of the site. Absent: a script gives it. */
  readonly label?: string;
  /** Checks what this kind asks of its value beyond the schema. */
  isRight?(value: Value): boolean;
  /** Continues the name of the field, for a value that is not right. */
  readonly message?: string;
}

/** A POST request. */
export interface ChannelRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The site, as requests need it. */
export interface ChannelSite {
  readonly publicUrl: string;
  readonly discordUrl: string;
  readonly now: EpochSeconds;
  /** Encrypts for a browser, and signs with the key of the site. */
  encryptPush(push: {
    readonly subscription: PushSubscription;
    readonly payload: string;
    readonly ttlSeconds: number;
    readonly topic: string;
  }): Promise<ChannelRequest>;
}

/** A subscription of a browser, as its `toJSON()` has it. */
export interface PushSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** The way of messages, and the meaning of answers: 2xx has taken it; others are repeated, unless a list here says otherwise. */
export interface ChannelDelivery<Fields> {
  /** The URL of users that requests go to. Absent: they go to a URL of the operators. */
  readonly target?: {
    urlOf(fields: Fields): string;
    /** Whether users may give it. */
    isHost(hostname: string): boolean;
    readonly message: string;
  };
  /** Present if the receiver may be somebody else's: it gets nothing before it has returned a challenge, in this body. */
  confirms?(body: string, challenge: string): boolean;
  /** Statuses after which the channel is switched off. */
  readonly endedBy: readonly number[];
  /** Statuses of 4xx that are repeated; after others a message is refused. */
  readonly repeated: readonly number[];
  /** Whether `Retry-After` is for this address alone. Absent: it is for the host, and all channels there are silent. */
  readonly isAddressLimit?: (headers: Readonly<Record<string, unknown>>) => boolean;
  request(fields: Fields, message: ChannelMessage, site: ChannelSite): ChannelRequest | Promise<ChannelRequest>;
}

/** A kind of channel. `Fields`: those that users give, and `secret` if the delivery has `confirms`. */
export interface ChannelType<Fields extends object = Readonly<Record<string, unknown>>> {
  /** The name that people know. */
  readonly label: string;
  /** For the API's documents. */
  readonly about: string;
  readonly fields: {
    readonly [Name in keyof Fields as Name extends 'secret' ? never : Name]: ChannelField<Fields[Name]>;
  };
  /** Absent: it is read, nothing is sent. */
  readonly delivery?: ChannelDelivery<Fields>;
}

/** Statuses of 4xx that may succeed when they are repeated. */
export const TEMPORARY = [408, 425, 429];
/** Services such as Discord ban who goes on sending after these. */
export const REFUSED_FOR_GOOD = [401, 403, 404, 410];

const URL_MAX = 2048;
const urlMessage = `must be a URL of at most ${URL_MAX} characters that begins with https://`;
export const httpUrl = z
  .string({ error: urlMessage })
  .max(URL_MAX, urlMessage)
  .refine((text) => URL.canParse(text), urlMessage);

/** Title, text and link of a message for people. */
export function textOf(message: ChannelMessage): Pick<Notification, 'title' | 'text' | 'url'> {
  if (message.type === 'challenge') throw new Error('only channels that confirm get a challenge');
  const { title, text, url } = message.type === 'notification' ? message.notification : message;
  return { title, text, url };
}

export function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;
}
