import { z } from 'zod';
import { tags } from '../primitives/keys.ts';
import { instant, timestamp } from '../primitives/time.ts';
import { count, namedObject, none, publicGet } from './fields.ts';
import { operation } from './operation.ts';

/** `snapshots`: counts every five minutes, before the first live slot. `leaderboards`: passes over all leaderboards. */
export const backfillParts = ['snapshots', 'leaderboards'] as const;

/** Also a message, and the event of a stream topic. */
export const backfillProgress = namedObject('BackfillProgress', {
  part: z.enum(backfillParts).meta({ description: 'The history that is read' }),
  done: count.meta({
    description: 'Snapshots or leaderboard passes that are published; all of them once they can be read',
  }),
  total: z.int().positive().meta({ description: 'All that will be; the part is finished when `done` equals it' }),
});

export type BackfillPart = z.output<typeof backfillProgress>;

/** The sources that a network may lack: all but the homepage. */
export const networkSources = ['titles', 'leaderboards', 'events', 'players'] as const;
export type NetworkSourceName = (typeof networkSources)[number];

/** The content of a source, as people call it. */
export const sourceContents: Readonly<Record<NetworkSourceName, string>> = {
  titles: 'pages of games, with open matches',
  leaderboards: 'leaderboards',
  events: 'list of events',
  players: 'list of the users online',
};

/** The reason of a source that the operator has declared absent. */
export const DECLARED_ABSENT = 'The network has none';

/** A part of responses and of messages. */
export const missingSource = z.strictObject({
  source: z.enum(networkSources).meta({ description: 'The data that the network does not offer' }),
  since: instant.meta({ description: 'The first request that found it missing' }),
  reason: z.string().max(200).meta({ description: 'The answer of the network, such as `status 404`' }),
});

export type MissingSource = z.output<typeof missingSource>;

/** A part of responses and of messages. */
export const refusedSource = z.strictObject({
  source: z.enum(['homepage', ...networkSources]).meta({ description: 'The pages that are not understood' }),
  since: instant.meta({ description: 'The first slot in which none of them was' }),
  reason: z.string().max(1000).meta({ description: 'What was found instead, and the line that would describe it' }),
});

export type RefusedSource = z.output<typeof refusedSource>;
export const REFUSED_SOURCES_MAX = networkSources.length + 1;

export const getStatus = operation({
  ...publicGet,
  id: 'getStatus',
  summary:
    'Progress of the backfill, which reads the network’s past at a first start, what the network lacks, which of its pages are not understood, and whether it answers',
  varies: true,
  path: '/api/status',
  group: 'About',
  upstream: 'gateway',
  params: none,
  query: none,
  response: z.strictObject({
    isBackfilling: z
      .boolean()
      .meta({ description: 'Whether a part is not finished, or not readable yet: history is incomplete' }),
    backfill: z
      .array(backfillProgress)
      .max(backfillParts.length)
      .meta({ description: 'Parts whose progress is known; finished ones may be missing after a restart' }),
    missingSources: z
      .array(missingSource.extend({ since: timestamp }).meta({ id: 'MissingSource' }))
      .max(networkSources.length)
      .meta({ description: 'Data that the network does not offer; empty also before the collector has asked for it' }),
    refusedSources: z
      .array(refusedSource.extend({ since: timestamp }).meta({ id: 'RefusedSource' }))
      .max(REFUSED_SOURCES_MAX)
      .meta({ description: 'Pages whose description no longer fits them, since two slots at least' }),
    network: z
      .strictObject({
        state: z.enum(['up', 'failing']).meta({ description: '`failing`: its homepage gave no counts in a slot' }),
        since: timestamp.nullable().meta({ description: 'The first slot without counts; null while it is `up`' }),
        newestSlot: timestamp.nullable().meta({ description: 'The newest slot with counts; null while none is known' }),
      })
      .meta({ description: 'Whether the network answers' }),
  }),
  tags: [tags.backfill, tags.sources],
});
