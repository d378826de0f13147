import type { WebhookChallenge, WebhookChannel, WebhookNotification, WebhookTest } from './generated/models.ts';

/** The body of a request to a webhook. A challenge is answered with its `data` as JSON. */
export type WebhookMessage = WebhookNotification | WebhookTest | WebhookChannel | WebhookChallenge;

/** Headers of Fetch, or of Node with names in lower case. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/** A request to a webhook that was not signed with its secret, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Verifies a request to a webhook, and returns its message.
 *
 * @param secret of the webhook: `whsec_` and a key in base64
 * @param body as it was received
 * @throws WebhookError for a wrong signature, and for a time that differs from now by more than 5 minutes
 */
export async function verifyWebhook(secret: string, headers: WebhookHeaders, body: string): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, name)) as [
    string,
    string,
    string,
  ];
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  if (!/^\d+$/.test(timestamp) || !isRecent) throw new WebhookError('The message is too old or too new');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const rawKey = bytesOf(secret.replace(/^whsec_/, ''));
  if (rawKey === undefined) throw new WebhookError('The secret is not one of a webhook');
  const key = await crypto.subtle.importKey('raw', rawKey, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : undefined;
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
      return JSON.parse(body) as WebhookMessage;
    }
  }
  throw new WebhookError('The signature is wrong');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const key = `webhook-${name}`;
  const value = isFetch(headers) ? headers.get(key) : headers[key];
  return typeof value === 'string' ? value : '';
}

function isFetch(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}

/** @returns undefined for what is no base64, and for nothing */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return bytes.length === 0 ? undefined : bytes;
  } catch {
    return undefined;
  }
}
