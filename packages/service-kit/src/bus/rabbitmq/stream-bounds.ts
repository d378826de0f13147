import { AppError } from '@lobbystats/contracts/errors';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { LogBounds } from '../log-position.ts';
import { withChannel } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { readCount } from './message-headers.ts';
import { LOG, LOG_IDENTITY } from './topology.ts';

export interface StreamBounds extends LogBounds {
  readonly logId: string;
}

const RESPONSE_TIMEOUT_MS = 5000;
const CHUNK_PREFETCH = 65_535;

export async function readBounds(connection: BrokerConnection): Promise<StreamBounds> {
  const [identity, oldest, newest] = await Promise.all([
    withChannel(connection, (channel) => readFirst(channel, LOG_IDENTITY)),
    readOldest(connection),
    withChannel(connection, readNewestOffset),
  ]);
  return { logId: identity.content.toString(), oldest, newest };
}

export async function readOldest(connection: BrokerConnection): Promise<number> {
  return withChannel(connection, async (channel) => offsetOf(await readFirst(channel, LOG)));
}

export function offsetOf({ properties }: ConsumeMessage): number {
  return readCount(properties, 'x-stream-offset') ?? 0;
}

async function readFirst(channel: Channel, stream: string): Promise<ConsumeMessage> {
  await channel.prefetch(1);
  return firstDelivery(channel, stream, 'first', () => undefined);
}

/** The broker sends the last chunk at once, so the reply to a later request arrives after the whole chunk. */
async function readNewestOffset(channel: Channel): Promise<number> {
  let newest = 0;
  await channel.prefetch(CHUNK_PREFETCH);
  await firstDelivery(channel, LOG, 'last', (message) => {
    newest = offsetOf(message);
  });
  await channel.checkQueue(LOG);
  return newest;
}

async function firstDelivery(
  channel: Channel,
  stream: string,
  from: 'first' | 'last',
  onDelivery: (message: ConsumeMessage) => void,
): Promise<ConsumeMessage> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown): void => {
      clearTimeout(timer);
      reject(new AppError('unavailable', 'The log of facts is not available', { cause }));
    };
    const timer = setTimeout(() => fail(new Error(`no response from ${stream}`)), RESPONSE_TIMEOUT_MS);
    channel.once('close', fail);
    const take = (message: ConsumeMessage | null): void => {
      if (message === null) return;
      clearTimeout(timer);
      onDelivery(message);
      resolve(message);
    };
    channel.consume(stream, take, { arguments: { 'x-stream-offset': from } }).catch(fail);
  });
}
