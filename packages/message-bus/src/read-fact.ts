import type { Message } from '@lobbystats/contracts';
import type { BusHooks } from './bus-hooks.ts';
import { decodeMessage } from './decode-message.ts';

export function readFact(body: string, origin: string, hooks: BusHooks): Message | undefined {
  const decoded = decodeMessage(body, origin);
  if (!('fault' in decoded)) return decoded.message;
  const type = decoded.type === undefined ? {} : { type: decoded.type.key };
  hooks.event('dead', { ...type, reason: decoded.fault, count: 1 });
  return undefined;
}
