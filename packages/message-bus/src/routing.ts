import { allMessages, type MessageType, type ServiceName } from '@lobbystats/contracts';
import type { Consumer } from './message-bus.ts';

const typesByKey: ReadonlyMap<string, MessageType> = new Map(allMessages.map((type) => [type.key, type]));

export function typeOf(key: string): MessageType | undefined {
  return typesByKey.get(key);
}

/** Unhandled types would become dead letters; additional handlers would never run. */
export function checkHandlers({ queue, handlers }: Consumer): void {
  const wanted = typesOf(queue).map((type) => type.key);
  const given = handlers.map((handler) => handler.type.key);
  const missing = wanted.filter((key) => !given.includes(key));
  const foreign = given.filter((key, at) => !wanted.includes(key) || given.indexOf(key) !== at);
  if (missing.length > 0) throw new Error(`The consumer of ${queue} has no handler for ${missing.join(', ')}`);
  if (foreign.length > 0) {
    throw new Error(`The consumer of ${queue} handles ${foreign.join(', ')} more than once or without receiving it`);
  }
}

function typesOf(queue: ServiceName): readonly MessageType[] {
  return allMessages.filter((type) => type.consumers.includes(queue));
}
