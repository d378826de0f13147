import type { Readable } from 'node:stream';
import {
  channelTypes,
  type ChannelDelivery,
  type ChannelMessage,
  type ChannelRequest,
  type ChannelSite,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { createHttpClient, retryAfterMs } from '@lobbystats/service-kit';
import webPush from 'web-push';
import type { Endpoint, Endpoints, Outcome } from './endpoint.ts';
import type { VapidKeys } from './vapid-keys.ts';

type HttpClient = ReturnType<typeof createHttpClient>;

export interface EndpointsOptions {
  readonly discordUrl: string;
  readonly publicUrl: string;
  readonly vapidKeys: () => Promise<VapidKeys>;
  readonly now: () => number;
  readonly outbound: Outbound;
}

/** The clients for URLs of users, and which of them are allowed. */
export interface Outbound {
  readonly clientOf: (url: URL) => HttpClient;
  readonly isAllowed: (url: URL, isHost: (hostname: string) => boolean) => boolean;
}

const TIMEOUT_MS = 10_000;
/** More than a challenge takes. */
const BYTES_MAX = 65_536;
const CLIENT = { timeoutMs: TIMEOUT_MS, maxBytes: BYTES_MAX, maxSockets: 128 };

/** The public internet over https at port 443, and what the operators name. @param hosts `HOST:PORT`, the port may be `*` */
export function outboundOf(hosts: readonly string[]): Outbound {
  const client = createHttpClient({ ...CLIENT, onlyPublic: true });
  const namedClient = createHttpClient(CLIENT);
  const isNamed = ({ protocol, hostname, port }: URL) => {
    const own = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
    return /^https?:$/.test(protocol) && [own, '*'].some((one) => hosts.includes(`${hostname}:${one}`));
  };
  return {
    clientOf: (url) => (isNamed(url) ? namedClient : client),
    isAllowed: (url, isHost) =>
      url.username + url.password === '' &&
      (isNamed(url) || (url.protocol === 'https:' && url.port === '' && isHost(url.hostname))),
  };
}

export function createVapidKeys(): VapidKeys {
  return webPush.generateVAPIDKeys();
}

/** Sends messages over HTTP. Neither URLs nor keys are in an outcome. */
export function httpEndpoints(options: EndpointsOptions): Endpoints {
  const { outbound, discordUrl, publicUrl } = options;
  // The operators' URL, not one of users.
  const own = createHttpClient(CLIENT);
  const site = (): ChannelSite => ({
    ...{ discordUrl, publicUrl, now: options.now() },
    encryptPush: async ({ subscription, payload, ttlSeconds: TTL, topic }) => {
      const vapidDetails = { subject: publicUrl.replace(/^http:/, 'https:'), ...(await options.vapidKeys()) };
      const { headers, body } = webPush.generateRequestDetails(subscription, payload, { vapidDetails, TTL, topic });
      return { url: subscription.endpoint, headers, body };
    },
  });
  return {
    check: ({ kind, fields }) => {
      const { fields: names, delivery } = channelTypes[kind];
      if (delivery?.target === undefined) return;
      const { target } = delivery;
      if (outbound.isAllowed(new URL(target.urlOf(fields)), (hostname) => target.isHost(hostname))) return;
      throw new AppError('invalid', `${Object.keys(names)[0] ?? ''} ${target.message}`);
    },
    send: async ({ kind, fields }, message) => {
      const { delivery } = channelTypes[kind];
      if (delivery === undefined) throw new Error(`nothing is sent to a ${kind}`);
      try {
        const request = await delivery.request(fields, message, site());
        return await post(
          delivery.target === undefined ? own : outbound.clientOf(new URL(request.url)),
          request,
          message,
          delivery,
        );
      } catch (error) {
        return { kind: 'failed', result: problemOf(error) };
      }
    },
  };
}

async function post(
  client: HttpClient,
  { url, headers, body }: ChannelRequest,
  message: ChannelMessage,
  delivery: ChannelDelivery<Endpoint['fields']>,
): Promise<Outcome> {
  const response = await client.post<Readable>(url, body, { responseType: 'stream', headers });
  const text = await firstBytes(response.data);
  const outcome = outcomeOf(response, delivery);
  if (message.type !== 'challenge' || outcome.kind !== 'delivered') return outcome;
  return delivery.confirms?.(text, message.challenge) === true
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

interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

function outcomeOf(
  { status, headers }: HttpResponse,
  { endedBy, repeated, isAddressLimit }: Pick<ChannelDelivery<never>, 'endedBy' | 'repeated' | 'isAddressLimit'>,
): Outcome {
  const result = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { kind: 'delivered', result };
  if (endedBy.includes(status)) return { kind: 'gone', result };
  if (status >= 400 && status < 500 && !repeated.includes(status)) return { kind: 'refused', result };
  const isOfAddress = isAddressLimit?.(headers) === true;
  return { kind: 'failed', result, retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()), isOfAddress };
}

function problemOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'TimeoutError' || code === 'ECONNABORTED') return `No response within ${TIMEOUT_MS / 1000} s`;
  return typeof code === 'string' && /CERT|TLS|SSL|VERIFY|INVALID_CA|EPROTO/.test(code)
    ? `TLS: ${code}`
    : 'The host can not be reached';
}
