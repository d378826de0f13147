import { HOUR_SECONDS, type EpochSeconds, type operations, type Reply } from '@lobbystats/contracts';
import { retained } from './periods.ts';
import type { SeriesReader } from '../database/series-store.ts';

type Coverage = Reply<typeof operations.getSeriesCoverage>;

/** Counts at most once a second, since every gateway asks each second. */
export function coverageReader(
  store: Pick<SeriesReader, 'countStored'>,
  now: () => EpochSeconds,
): () => Promise<Coverage> {
  let newest: { at: EpochSeconds; coverage: Promise<Coverage> } | undefined;
  return () => {
    const at = now();
    if (newest?.at !== at) newest = { at, coverage: readCoverage(store, at) };
    return newest.coverage;
  };
}

async function readCoverage(store: Pick<SeriesReader, 'countStored'>, now: EpochSeconds): Promise<Coverage> {
  const { after, until } = retained(now);
  // The oldest slots expire at another moment in each instance.
  return { body: await store.countStored({ after: after + HOUR_SECONDS, until: until + HOUR_SECONDS }) };
}
