import {
  allMessages,
  commentHidden,
  raterBarred,
  userErased,
  type Message,
  type MessageType,
  type ServiceName,
} from '@lobbystats/contracts';

export interface Invalidation {
  readonly tags: readonly string[];
  /** Services that consume the fact over the bus too: their responses may be stale for a moment. */
  readonly alsoConsumedBy: readonly ServiceName[];
  readonly isPurge: boolean;
}

const typesByKey: ReadonlyMap<string, MessageType> = new Map(allMessages.map((type) => [type.key, type]));
const PURGING_TYPES: ReadonlySet<string> = new Set([commentHidden.key, raterBarred.key, userErased.key]);

/** Expects data that the bus has validated. */
export function invalidationFor({ type, data }: Pick<Message, 'type' | 'data'>): Invalidation {
  const known = typesByKey.get(type);
  const tags = known?.tags(data) ?? [];
  return { tags, alsoConsumedBy: known?.consumers ?? [], isPurge: PURGING_TYPES.has(type) };
}
