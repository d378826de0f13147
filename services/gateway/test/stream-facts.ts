import {
  achievementUnlocked,
  allMessages,
  backfillProgressed,
  changeRecorded,
  eventStored,
  matchEnded,
  matchOpened,
  nowChanged,
  profileUpdated,
  ratingStored,
  slotStored,
  type MessageType,
} from '@lobbystats/contracts';
import type { MessageBus, PublishOptions } from '@lobbystats/service-kit/bus';

/** Publishes a slot with a number of users online. */
export function publishSlot(bus: MessageBus, online: number, options?: PublishOptions): Promise<void> {
  return bus.publish(slotStored, { slot: '2026-01-31T18:05:00Z', online, lobbies: 4 }, options);
}

/** Publishes a rating fact of a user. */
export function publishRating(bus: MessageBus, username: string, ratingCount: number): Promise<void> {
  return bus.publish(ratingStored, { username, average: 4.5, ratingCount, raters: [] });
}

/** Publishes changes with consecutive IDs in one fact. */
export function publishChanges(bus: MessageBus, firstId: number, count: number): Promise<void> {
  const [example] = changeRecorded.example.changes;
  const changes = Array.from({ length: count }, (_, index) => ({ ...example!, id: firstId + index }));
  return bus.publish(changeRecorded, { changes });
}

/** Publishes an event with a description of the given length. */
export function publishEvent(bus: MessageBus, id: number, length: number): Promise<void> {
  const [example] = eventStored.example.events;
  return bus.publish(eventStored, { events: [{ ...example!, id, description: 'x'.repeat(length) }], withdrawn: [] });
}

/** All fact types that produce stream events. */
export const streamedFacts: readonly MessageType[] = [
  slotStored,
  matchOpened,
  matchEnded,
  backfillProgressed,
  changeRecorded,
  achievementUnlocked,
  eventStored,
  ratingStored,
  profileUpdated,
  nowChanged,
];

/** All other fact types. */
export const unstreamedFacts = allMessages.filter(
  (type) => type.exchange === 'facts' && !streamedFacts.some(({ key }) => key === type.key),
);

/** Publishes the example of a fact type. */
export async function publishExample(bus: MessageBus, key: string): Promise<void> {
  for (const type of allMessages) if (type.key === key) await bus.publish(type, type.example);
}
