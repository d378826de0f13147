import { z } from 'zod';
import { missingSource, networkSources } from '../operations/status.ts';
import { tags } from '../primitives/keys.ts';
import { instant } from '../primitives/time.ts';
import { messageType } from './message-type.ts';

export const sourcesChecked = messageType({
  key: 'sources.checked',
  exchange: 'facts',
  summary:
    'The data that the network does not offer, and whether it answers. Published when it changes, and repeated every hour.',
  producer: 'collector',
  consumers: [],
  data: z.strictObject({
    missing: z.array(missingSource).max(networkSources.length),
    failingSince: instant
      .nullable()
      .default(null)
      .meta({ description: 'The first slot in which the homepage gave no counts; null once it does' }),
  }),
  example: {
    missing: [{ source: 'players', since: '2026-01-31T18:05:02Z', reason: 'status 404' }],
    failingSince: null,
  },
  tags: () => [tags.sources],
});
