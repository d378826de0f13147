import { randomBytes } from 'node:crypto';
import { StartupError } from '@lobbystats/errors';
import { z } from 'zod';
import type { ManagementApi } from './management-api.ts';
import { LOG, LOG_IDENTITY, LOG_MARKER } from './topology.ts';

const statistics = z.object({ messages: z.number().optional() });

/** Writes the log's marker and id once. Safe to interrupt and repeat: the first id counts. */
export async function provisionLog(api: ManagementApi, vhost: string, log: (line: string) => void): Promise<void> {
  const { messages = 0 } = statistics.parse((await api.get('queues', vhost, LOG_IDENTITY)) ?? {});
  if (messages > 0) return;
  await publishMarker(api, vhost, LOG, LOG_MARKER);
  await publishMarker(api, vhost, LOG_IDENTITY, randomBytes(8).toString('hex'));
  log(`RabbitMQ: published the identity of ${LOG}`);
}

async function publishMarker(api: ManagementApi, vhost: string, queue: string, payload: string): Promise<void> {
  const properties = { delivery_mode: 2, type: LOG_MARKER };
  const message = { properties, routing_key: queue, payload, payload_encoding: 'string' };
  const answer = await api.post(message, 'exchanges', vhost, 'amq.default', 'publish');
  if (!z.object({ routed: z.literal(true) }).safeParse(answer).success) {
    throw new StartupError(`RabbitMQ did not route a message to ${queue}`);
  }
}
