import { z } from 'zod';
import { tags } from '../primitives/keys.ts';
import { count, none, publicGet } from './fields.ts';
import { operation } from './operation.ts';

/** `snapshots`: counts every five minutes, before the first live slot. `leaderboards`: passes over all leaderboards. */
export const backfillParts = ['snapshots', 'leaderboards'] as const;

/** Also a message, and the event of a stream topic. */
export const backfillProgress = z.strictObject({
  part: z.enum(backfillParts).meta({ description: 'The history that is read' }),
  done: count.meta({ description: 'Snapshots or leaderboard passes that are published' }),
  total: z.int().positive().meta({ description: 'All that will be; the part is finished when `done` equals it' }),
});

export type BackfillPart = z.output<typeof backfillProgress>;

export const getStatus = operation({
  ...publicGet,
  id: 'getStatus',
  summary: 'Progress of the backfill, which reads the network’s past at a first start',
  path: '/api/status',
  upstream: 'gateway',
  params: none,
  query: none,
  response: z.strictObject({
    isBackfilling: z.boolean().meta({ description: 'Whether a part is not finished: history is incomplete' }),
    backfill: z
      .array(backfillProgress)
      .max(backfillParts.length)
      .meta({ description: 'Parts whose progress is known; finished ones may be missing after a restart' }),
  }),
  tags: () => [tags.backfill],
});
