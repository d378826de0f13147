import { allMessages, type MessageType, type ServiceName } from '@lobbystats/contracts';
import type { Consumer } from './message-bus.ts';

const typesByKey: ReadonlyMap<string, MessageType> = new Map(allMessages.map((type) => [type.key, type]));

export function typeOf(key: string): MessageType | undefined {
  return typesByKey.get(key);
}

/** Unhandled types would become dead letters; additional handlers would never run. */
export function checkHandlers({ queue, handlers }: Consumer): void {
  const expectedKeys = typesOf(queue).map((type) => type.key);
  const handledKeys = handlers.map((handler) => handler.type.key);
  const missing = expectedKeys.filter((key) => !handledKeys.includes(key));
  const foreign = handledKeys.filter((key, at) => !expectedKeys.includes(key) || handledKeys.indexOf(key) !== at);
  if (missing.length > 0) throw new Error(`The consumer of ${queue} has no handler for ${missing.join(', ')}`);
  if (foreign.length > 0) {
    throw new Error(`The consumer of ${queue} handles ${foreign.join(', ')} more than once or without receiving it`);
  }
}

function typesOf(queue: ServiceName): readonly MessageType[] {
  return allMessages.filter((type) => type.consumers.includes(queue));
}
