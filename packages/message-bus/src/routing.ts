import { allMessages, type MessageType, type ServiceName } from '@lobbystats/contracts';
import type { Consumer } from './message-bus.ts';

const typesByKey: ReadonlyMap<string, MessageType> = new Map(allMessages.map((type) => [type.key, type]));

/** The message type of a routing key, or undefined when there is none. */
export function typeOf(key: string): MessageType | undefined {
  return typesByKey.get(key);
}

/**
 * Refuses a consumer that doesn't handle exactly what its queue gets: whatever it lacks would become dead letters one by
 * one, whatever it has beyond that would never be called.
 */
export function checkHandlers({ queue, handlers }: Consumer): void {
  const wanted = typesOf(queue).map((type) => type.key);
  const given = handlers.map((handler) => handler.type.key);
  const missing = wanted.filter((key) => !given.includes(key));
  const foreign = given.filter((key, at) => !wanted.includes(key) || given.indexOf(key) !== at);
  if (missing.length > 0) throw new Error(`The consumer of ${queue} has no handler for ${missing.join(', ')}`);
  if (foreign.length > 0) {
    throw new Error(
      `The consumer of ${queue} handles ${foreign.join(', ')}, which its queue doesn't get, or gets once`,
    );
  }
}

/** The message types that go to a service's queue. */
function typesOf(queue: ServiceName): readonly MessageType[] {
  return allMessages.filter((type) => type.consumers.includes(queue));
}
