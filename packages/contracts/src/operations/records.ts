import { z } from 'zod';
import { tags } from '../primitives/keys.ts';
import { date, timestamp } from '../primitives/time.ts';
import { count, none, publicGet, titleHead, titleParams } from './fields.ts';
import { operation } from './operation.ts';

/** @param what is counted */
function record(what: string) {
  return z
    .strictObject({ count, at: timestamp })
    .nullable()
    .meta({ description: `${what}, and the first slot with as many; null before the first count` });
}

const records = { ...publicGet, upstream: 'series-api', query: none } as const;

export const getNetworkRecords = operation({
  ...records,
  id: 'getNetworkRecords',
  summary: 'The network’s highest counts of all time',
  varies: true,
  path: '/api/service-stats/records',
  group: 'Site',
  params: none,
  response: z.strictObject({
    online: record('Most users online at once'),
    lobbies: record('Most lobbies open at once'),
    matches: z.strictObject({ count, date }).nullable().meta({
      description: 'Most matches that began on one UTC day, and the first such day; null before the first one',
    }),
  }),
  tags: [tags.slots, tags.daily],
});

export const getGameRecords = operation({
  ...records,
  id: 'getGameRecords',
  summary: 'One game’s highest counts of all time',
  varies: true,
  path: '/api/title/:titleId/records',
  group: 'Games',
  gamePath: '/api/game/:game/records',
  params: titleParams,
  response: z.strictObject({
    ...titleHead,
    online: record('Most users online at once'),
    lobbies: record('Most lobbies open at once'),
  }),
  tags: [tags.slots, tags.daily, tags.title(':titleId')],
});
