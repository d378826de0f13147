import type { ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import { createHttpClient } from '@lobbystats/service-kit';
import type { ReceivedRequest } from '@lobbystats/test-kit';
import type { Outbound } from '../src/channels/endpoints.http.ts';

/** Returns the challenge of a webhook, else answers 204. */
export function confirm({ body }: ReceivedRequest, res: ServerResponse): void {
  const { type, data } = JSON.parse(body.toString()) as { type: string; data: object };
  if (type === 'challenge') res.end(JSON.stringify(data));
  else res.writeHead(204).end();
}

/**
 * Sends also to receivers of this machine. A test may replace the client.
 *
 * @param ca in PEM, of their certificates
 */
export function localOutbound({ timeoutMs = 60_000, ca }: { timeoutMs?: number; ca?: string | undefined } = {}) {
  const client = createHttpClient({ timeoutMs, maxBytes: 65_536 });
  if (ca !== undefined) client.defaults.httpsAgent = new Agent({ ca });
  const outbound = { client, clientOf: () => outbound.client, isAllowed: () => true };
  return outbound satisfies Outbound;
}
