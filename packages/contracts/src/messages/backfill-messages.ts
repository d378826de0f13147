import { backfillProgress } from '../operations/status.ts';
import { tags } from '../primitives/keys.ts';
import { messageType } from './message-type.ts';

export const backfillProgressed = messageType({
  key: 'backfill.progressed',
  exchange: 'facts',
  summary: 'The backfill of a part has progressed. Repeated after a restart.',
  producer: 'collector',
  consumers: [],
  data: backfillProgress,
  example: { part: 'snapshots', done: 1031, total: 8640 },
  tags: () => [tags.backfill],
});
