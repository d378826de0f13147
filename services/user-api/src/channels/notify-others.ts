import { channelTypes, plainText, type ChannelMessage, type EpochSeconds } from '@lobbystats/contracts';
import type { ChannelRecord, ChannelStore } from './channel-store.ts';

const EVENTS = { added: 'A channel was added', off: 'A channel was switched off' } as const;

/** Tells the other channels of its owner that a channel was added, or is switched off. */
export async function notifyOthers(
  store: Pick<ChannelStore, 'channelsOf' | 'putDelivery'>,
  { id, userKey }: Pick<ChannelRecord, 'id' | 'userKey'>,
  event: keyof typeof EVENTS,
  now: EpochSeconds,
): Promise<void> {
  const others = (await store.channelsOf(userKey)).filter(
    (other) => other.id !== id && other.state === 'active' && channelTypes[other.kind].delivery !== undefined,
  );
  for (const other of others) {
    await store.putDelivery(other.id, { messageId: `${event}_${now}_${id}`, type: 'channel', dueAt: now });
  }
}

/** The message of such a delivery. @returns undefined if the channel is gone */
export async function channelMessage(
  store: Pick<ChannelStore, 'channel'>,
  messageId: string,
  url: string,
): Promise<ChannelMessage | undefined> {
  const [, event, id = ''] = /^(added|off)_\d+_(.+)$/.exec(messageId) ?? [];
  const channel = await store.channel(id);
  if (channel === undefined) return undefined;
  const { name, kind, problem } = channel;
  const what = plainText`${channelTypes[kind].label}, called ${name}`;
  const text =
    event === 'added'
      ? `${what}. If this was not you, remove it, and sign out everywhere.`
      : `${what}: ${problem ?? 'it failed for a day'}. A test message tries it again.`;
  return { type: 'channel', id: messageId, title: EVENTS[event === 'added' ? 'added' : 'off'], text, url };
}
