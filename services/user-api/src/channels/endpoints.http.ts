import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { followedPicturePath, formatInstant, type Notification, type WebhookMessage } from '@lobbystats/contracts';
import { createHttpClient, retryAfterMs } from '@lobbystats/service-kit';
import webPush from 'web-push';
import type { Endpoint, Endpoints, Message, Outcome } from './endpoint.ts';
import type { VapidKeys } from './vapid-keys.ts';

type HttpClient = ReturnType<typeof createHttpClient>;

export interface EndpointsOptions {
  readonly discordUrl: string;
  readonly publicUrl: string;
  readonly vapidKeys: () => Promise<VapidKeys>;
  readonly now: () => number;
  readonly outbound: Outbound;
}

/** The client for URLs of users, and which of them are allowed. */
export interface Outbound {
  readonly client: HttpClient;
  readonly isAllowed: Endpoints['isAllowed'];
}

const TIMEOUT_MS = 10_000;
/** More than a challenge takes. */
const BYTES_MAX = 65_536;
const CLIENT = { timeoutMs: TIMEOUT_MS, maxBytes: BYTES_MAX, maxSockets: 128 };
/** Those of Chromium, Firefox, Safari and Edge. */
const PUSH_SERVICES =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)+push\.services\.mozilla\.com|(?:[\w-]+\.)*push\.apple\.com|(?:[\w-]+\.)*notify\.windows\.com)$/;
/** A push that waits longer is no news. */
const PUSH_TTL_SECONDS = 14_400;
/** A push holds 3993 bytes. */
const PUSH_TEXT_MAX = 600;
const TITLE_MAX = 200;
/** Limits of Discord, which counts escapes. */
const [EMBED_TITLE_MAX, EMBED_TEXT_MAX] = [256, 4096];

/** The public internet over https at port 443, and push services of browsers. */
export function publicOutbound(): Outbound {
  return {
    client: createHttpClient({ ...CLIENT, onlyPublic: true }),
    isAllowed: (kind, { protocol, hostname, port, username, password }) =>
      protocol === 'https:' &&
      port === '' &&
      username + password === '' &&
      (kind === 'webpush'
        ? PUSH_SERVICES.test(hostname)
        : hostname.includes('.') && isIP(hostname.replace(/^\[|\]$/g, '')) === 0),
  };
}

export function createVapidKeys(): VapidKeys {
  return webPush.generateVAPIDKeys();
}

/** Sends messages over HTTP. Neither URLs nor keys are in an outcome. */
export function httpEndpoints(options: EndpointsOptions): Endpoints {
  const { outbound, discordUrl } = options;
  // The operators' URL, not one of users.
  const discord = createHttpClient(CLIENT);
  return {
    isAllowed: outbound.isAllowed,
    send: async (endpoint, message) => {
      try {
        switch (endpoint.kind) {
          case 'webpush':
            return await push(outbound.client, endpoint, message, options);
          case 'discord': {
            const body = { embeds: [embedOf(message, options)], allowed_mentions: { parse: [] } };
            const response = await discord.post<string>(`${discordUrl}/webhooks/${endpoint.webhook}`, body);
            return outcomeOf(response, [404, 410]);
          }
          case 'webhook':
            return await callWebhook(outbound.client, endpoint, message, options.now());
        }
      } catch (error) {
        return { kind: 'failed', result: problemOf(error) };
      }
    },
  };
}

async function push(
  client: HttpClient,
  { endpoint, p256dh, auth }: Extract<Endpoint, { kind: 'webpush' }>,
  message: Message,
  { vapidKeys, publicUrl }: EndpointsOptions,
): Promise<Outcome> {
  const { title, text, url } = textOf(message);
  const payload = JSON.stringify({
    ...{ id: message.id, title: shortened(title, TITLE_MAX), text: shortened(text, PUSH_TEXT_MAX), url },
  });
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject: publicUrl.replace(/^http:/, 'https:'), ...(await vapidKeys()) },
    TTL: PUSH_TTL_SECONDS,
    // A repetition replaces a push that the browser has not fetched yet.
    topic: message.id.replaceAll('-', '').slice(0, 32),
  });
  return outcomeOf(
    await client.post<string>(endpoint, body, { headers: headers as Record<string, string> }),
    [404, 410],
  );
}

/** As Standard Webhooks describes. */
async function callWebhook(
  client: HttpClient,
  { url, secret }: Extract<Endpoint, { kind: 'webhook' }>,
  message: Message,
  now: number,
): Promise<Outcome> {
  const body = JSON.stringify(webhookMessageOf(message, formatInstant(now)));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${message.id}.${now}.${body}`).digest('base64');
  const response = await client.post<Readable>(url, body, {
    responseType: 'stream',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(now),
      'webhook-signature': `v1,${signature}`,
    },
  });
  const text = await firstBytes(response.data);
  const outcome = outcomeOf(response, [410]);
  if (message.type !== 'challenge' || outcome.kind !== 'delivered') return outcome;
  return challengeOf(text) === message.challenge
    ? outcome
    : { kind: 'refused', result: `${outcome.result}, without the challenge` };
}

/** The beginning of a body. The status is known: whether the rest comes is of no interest. */
async function firstBytes(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= BYTES_MAX) break;
    }
  } catch {
    // It was cut off, or took too long.
  }
  return Buffer.concat(chunks).toString();
}

function webhookMessageOf(message: Message, timestamp: string): WebhookMessage {
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

interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Statuses of 4xx that may succeed when they are repeated. */
const TEMPORARY = [408, 425, 429];

function outcomeOf({ status, headers }: HttpResponse, goneStatuses: readonly number[]): Outcome {
  const result = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { kind: 'delivered', result };
  if (goneStatuses.includes(status)) return { kind: 'gone', result };
  if (status >= 400 && status < 500 && !TEMPORARY.includes(status)) return { kind: 'refused', result };
  return { kind: 'failed', result, retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()) };
}

function problemOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (code === 'EPRIVATE') return 'The host has no public address';
  if (code === 'ENOTFOUND') return 'The host is unknown';
  if (name === 'TimeoutError' || code === 'ECONNABORTED') return `No response within ${TIMEOUT_MS / 1000} s`;
  return typeof code === 'string' && /CERT|TLS|SSL|VERIFY|INVALID_CA|EPROTO/.test(code)
    ? `TLS: ${code}`
    : 'The connection failed';
}

function textOf(message: Message): Pick<Notification, 'title' | 'text' | 'url'> {
  if (message.type === 'notification') {
    const { title, text, url } = message.notification;
    return { title, text, url };
  }
  if (message.type === 'test') return { title: message.title, text: message.text, url: message.url };
  throw new Error('Only webhooks get a challenge');
}

function embedOf(message: Message, { publicUrl }: EndpointsOptions) {
  const { title, text, url } = textOf(message);
  const picture =
    message.type === 'notification'
      ? followedPicturePath(message.notification.kind, message.notification.target)
      : '/og/site.png';
  return {
    title: withoutMarkdown(title, EMBED_TITLE_MAX),
    description: withoutMarkdown(text, EMBED_TEXT_MAX),
    url,
    image: { url: publicUrl + picture },
  };
}

/** Returns a text that Discord shows as it is. No escape is cut in two. */
function withoutMarkdown(text: string, max: number): string {
  const escaped = text.replace(/[\\*_~`|<>[\]()#@:-]/g, String.raw`\$&`);
  return shortened(escaped, max).replace(/(?<!\\)((?:\\\\)*)\\…$/, '$1…');
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;
}
