import { z } from 'zod';
import { tags } from '../primitives/keys.ts';
import { format } from '../primitives/query.ts';
import { count, mean, publicGet, titleHead, titleParams } from './fields.ts';
import { operation } from './operation.ts';

export const ACTIVITY_DAYS = 28;

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const getActivity = operation({
  ...publicGet,
  id: 'getActivity',
  summary: 'Users online in one game by weekday and hour (UTC), over the last 28 days',
  description: 'From Monday, 0 to 1 h, to Sunday, 23 to 24 h. Hours without snapshots are absent.',
  path: '/api/title/:titleId/activity',
  gamePath: '/api/game/:game/activity',
  upstream: 'series-api',
  params: titleParams,
  query: z.object({ format }),
  response: z.strictObject({
    ...titleHead,
    days: z.literal(ACTIVITY_DAYS),
    hours: z.array(
      z.strictObject({
        weekday: z.enum(weekdays),
        hour: z.int().min(0).max(23),
        average_online: mean,
        peak_online: count,
      }),
    ),
  }),
  rows: 'hours',
  tags: ({ titleId }) => [tags.slots, tags.title(titleId)],
});
