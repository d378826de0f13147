import {
  allMessages,
  commentHidden,
  raterBarred,
  userForgotten,
  type Message,
  type MessageType,
  type ServiceName,
} from '@lobbystats/contracts';

export interface Touched {
  readonly tags: readonly string[];
  /** Services that consume the fact as well: their answers may be old for a moment. */
  readonly learnedBy: readonly ServiceName[];
  readonly isToBeHidden: boolean;
}

const typesByKey: ReadonlyMap<string, MessageType> = new Map(allMessages.map((type) => [type.key, type]));
const HIDING: ReadonlySet<string> = new Set([commentHidden.key, raterBarred.key, userForgotten.key]);

/** The bus has validated the data. */
export function touchedBy({ type, data }: Pick<Message, 'type' | 'data'>): Touched {
  const known = typesByKey.get(type);
  const tags = known?.tags(data) ?? [];
  return { tags, learnedBy: known?.consumers ?? [], isToBeHidden: HIDING.has(type) };
}
