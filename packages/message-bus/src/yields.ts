import type { Message, MessageType } from '@lobbystats/contracts';

/** Past and ordered messages are overtaken by live ones. */
export function yields(type: MessageType, { past }: Pick<Message, 'past'>): boolean {
  return past || type.inTurn === true;
}
