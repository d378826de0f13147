import type { Message, MessageType } from '@lobbystats/contracts';

/** Whether live messages of other types overtake this one in a queue: what tells of the past, and what must stay in turn. */
export function yields(type: MessageType, { past }: Pick<Message, 'past'>): boolean {
  return past || type.inTurn === true;
}
