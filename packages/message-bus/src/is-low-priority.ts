import type { Message, MessageType } from '@lobbystats/contracts';

/** Whether live messages may overtake it: past and ordered messages. */
export function isLowPriority(type: MessageType, { past }: Pick<Message, 'past'>): boolean {
  return past || type.ordered === true;
}
