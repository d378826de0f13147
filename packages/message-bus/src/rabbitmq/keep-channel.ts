import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import { Kept, type Opened } from './kept.ts';

const CONNECTION_WITHIN_MS = 600_000;

export function keepChannel(
  connection: Kept<ChannelModel>,
  setUp: (channel: Channel, model: ChannelModel) => Promise<void>,
): Kept<Channel> {
  return new Kept(async () => {
    const model = await connection.within(CONNECTION_WITHIN_MS);
    return openedChannel(await model.createChannel(), (channel) => setUp(channel, model));
  });
}

export function keepConfirmChannel(
  connection: Kept<ChannelModel>,
  setUp: (channel: ConfirmChannel) => Promise<void>,
  onOpen: (channel: ConfirmChannel) => void,
): Kept<ConfirmChannel> {
  return new Kept(async () => {
    const model = await connection.within(CONNECTION_WITHIN_MS);
    return openedChannel(await model.createConfirmChannel(), setUp);
  }, onOpen);
}

export async function onChannel<T>(model: ChannelModel, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await model.createChannel();
  // A fault closes the channel and rejects its operations.
  channel.on('error', () => undefined);
  try {
    return await work(channel);
  } finally {
    await channel.close().catch(() => undefined);
  }
}

async function openedChannel<C extends Channel>(channel: C, setUp: (channel: C) => Promise<void>): Promise<Opened<C>> {
  channel.on('error', () => undefined);
  const lost = new Promise<void>((resolve) => channel.once('close', () => resolve()));
  try {
    await setUp(channel);
  } catch (error) {
    await channel.close().catch(() => undefined);
    throw error;
  }
  return { value: channel, lost, close: () => channel.close() };
}
