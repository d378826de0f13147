import { z } from 'zod';
import { missingSource, networkSources, refusedSource, REFUSED_SOURCES_MAX } from '../operations/status.ts';
import { tags } from '../primitives/keys.ts';
import { instant } from '../primitives/time.ts';
import { messageType } from './message-type.ts';

export const sourcesChecked = messageType({
  key: 'sources.checked',
  exchange: 'facts',
  summary:
    'The data that the network does not offer, its pages that are not understood, and whether it answers. Published when it changes, and repeated every hour.',
  producer: 'collector',
  consumers: [],
  data: z.strictObject({
    missing: z.array(missingSource).max(networkSources.length),
    refused: z.array(refusedSource).max(REFUSED_SOURCES_MAX).default([]),
    failingSince: instant
      .nullable()
      .default(null)
      .meta({ description: 'The first slot in which the homepage gave no counts; null once it does' }),
  }),
  example: {
    missing: [{ source: 'players', since: '2026-01-31T18:05:02Z', reason: 'status 404' }],
    refused: [
      { source: 'titles', since: '2026-01-31T18:05:00Z', reason: 'no table has the heading "Host" in "Open sessions"' },
    ],
    failingSince: null,
  },
  tags: () => [tags.sources],
});
