import {
  achievementUnlocked,
  allMessages,
  changeRecorded,
  eventStored,
  matchEnded,
  matchOpened,
  ratingStored,
  slotStored,
  type MessageType,
} from '@lobbystats/contracts';
import type { MessageBus, PublishOptions } from '@lobbystats/message-bus';

/** A slot that can be read: so many online. */
export function publishSlot(bus: MessageBus, online: number, options?: PublishOptions): Promise<void> {
  return bus.publish(slotStored, { slot: '2026-01-31T18:05:00Z', online, lobbies: 4 }, options);
}

/** A rating's fact of a person whose ratings are so many. */
export function publishRating(bus: MessageBus, username: string, ratingCount: number): Promise<void> {
  return bus.publish(ratingStored, { username, average: 4.5, ratingCount, raters: [] });
}

/** So many changes in one fact; their ids go on from one to the next. */
export function publishChanges(bus: MessageBus, firstId: number, count: number): Promise<void> {
  const [example] = changeRecorded.example.changes;
  const changes = Array.from({ length: count }, (_, index) => ({ ...example!, id: firstId + index }));
  return bus.publish(changeRecorded, { changes });
}

/** An event of a description so long. */
export function publishEvent(bus: MessageBus, id: number, length: number): Promise<void> {
  const [example] = eventStored.example.events;
  return bus.publish(eventStored, { events: [{ ...example!, id, description: 'x'.repeat(length) }], withdrawn: [] });
}

/** Every fact that makes a topic's event, by its example. */
export const toldFacts: readonly MessageType[] = [
  slotStored,
  matchOpened,
  matchEnded,
  changeRecorded,
  achievementUnlocked,
  eventStored,
  ratingStored,
];

/** Every fact of the table that makes none. */
export const untoldFacts = allMessages.filter(
  (type) => type.exchange === 'facts' && !toldFacts.some(({ key }) => key === type.key),
);

/** The example of a fact of the table. */
export async function publishExample(bus: MessageBus, key: string): Promise<void> {
  for (const type of allMessages) if (type.key === key) await bus.publish(type, type.example);
}
