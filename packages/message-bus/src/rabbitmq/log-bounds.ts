import { AppError } from '@lobbystats/errors';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { LogBounds } from '../log-position.ts';
import { onChannel } from './keep-channel.ts';
import { countOf } from './message-headers.ts';
import { LOG, LOG_IDENTITY } from './topology.ts';

export interface IdentifiedBounds extends LogBounds {
  readonly logId: string;
}

const ANSWER_WITHIN_MS = 5000;
const WHOLE_CHUNK = 65_535;

export async function readBounds(model: ChannelModel): Promise<IdentifiedBounds> {
  const [identity, oldest, newest] = await Promise.all([
    onChannel(model, (channel) => firstOf(channel, LOG_IDENTITY)),
    readOldest(model),
    onChannel(model, newestOf),
  ]);
  return { logId: identity.content.toString(), oldest, newest };
}

export async function readOldest(model: ChannelModel): Promise<number> {
  return onChannel(model, async (channel) => offsetOf(await firstOf(channel, LOG)));
}

export function offsetOf({ properties }: ConsumeMessage): number {
  return countOf(properties, 'x-stream-offset') ?? 0;
}

async function firstOf(channel: Channel, stream: string): Promise<ConsumeMessage> {
  await channel.prefetch(1);
  return firstDelivery(channel, stream, 'first', () => undefined);
}

/** The broker sends the last chunk at once: a reply to a request sent after its first message comes after all of it. */
async function newestOf(channel: Channel): Promise<number> {
  let newest = 0;
  await channel.prefetch(WHOLE_CHUNK);
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
    const timer = setTimeout(() => fail(new Error(`no answer from ${stream}`)), ANSWER_WITHIN_MS);
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
