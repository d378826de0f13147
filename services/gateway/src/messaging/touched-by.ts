import {
  allMessages,
  commentHidden,
  raterBarred,
  userForgotten,
  type Message,
  type MessageType,
  type ServiceName,
} from '@lobbystats/contracts';

/** What a fact says to a cache. */
export interface Touched {
  readonly tags: readonly string[];
  /** The services that learn of it by the bus: their answers may be old for a moment yet. */
  readonly learnedBy: readonly ServiceName[];
  /** Whether nobody may see again what was: the operators have taken something away. */
  readonly isToBeHidden: boolean;
}

const typesByKey: ReadonlyMap<string, MessageType> = new Map(allMessages.map((type) => [type.key, type]));
const HIDING: ReadonlySet<string> = new Set([commentHidden.key, raterBarred.key, userForgotten.key]);

/** Which answers a fact touches. The bus has held its data against its schema. */
export function touchedBy({ type, data }: Pick<Message, 'type' | 'data'>): Touched {
  const known = typesByKey.get(type);
  const tags = known?.tags(data) ?? [];
  return { tags, learnedBy: known?.consumers ?? [], isToBeHidden: HIDING.has(type) };
}
