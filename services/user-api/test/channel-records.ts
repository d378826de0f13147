import type { ChannelCondition, ChannelRecord } from '../src/channels/channel-store.ts';
import { SLOT } from './stored-records.ts';

export const ACTIVE: ChannelCondition = {
  state: 'active',
  failingSince: null,
  failures: 0,
  problem: null,
  blockedUntil: 0,
};

export function channel(userKey: string, changes: Partial<ChannelRecord> = {}): ChannelRecord {
  const name = changes.name ?? 'phone';
  const about = { id: `${userKey} ${name}`, userKey, name, kind: 'webhook', createdAt: SLOT } as const;
  return { ...about, sealed: 'c2VhbGVk', receiver: 'host', ...ACTIVE, ...changes };
}
