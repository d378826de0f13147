import { eventsObserved, parseInstant } from '@lobbystats/contracts';
import { handle, type Handler } from '@lobbystats/message-bus';
import type { EventCatalog, EventCounts } from './event-catalog.ts';

export function eventHandler(catalog: EventCatalog, onObserved: (counts: EventCounts) => void): Handler {
  return handle(eventsObserved, async ({ data: { seenAt, ...announced }, past }) => {
    onObserved(await catalog.observe({ seenAt: parseInstant(seenAt), ...announced }, past));
  });
}
