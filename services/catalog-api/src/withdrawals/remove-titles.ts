import { nextRevision, type EpochSeconds } from '@lobbystats/contracts';
import { retryStale } from '../commits/commits.ts';
import { titleFacts } from '../titles/title-catalog.ts';
import { catalogOf, isWithdrawn, namesOf, type Catalog } from '../titles/catalog.ts';
import type { ContentQueries } from './contents.queries.ts';
import type { TitleQueries, TitleRecord } from '../titles/titles.queries.ts';
import { titleMetadata } from '../titles/title-view.ts';

export interface TitleRemovalOptions {
  readonly titles: TitleQueries;
  readonly contents: ContentQueries;
  readonly clock: () => number;
  readonly origin: string;
}

/**
 * Removes titles as of an instant, with their leaderboards and changes. A title that the homepage has later comes back as
 * a new one. Other titles may get a removed one's name.
 *
 * @throws AppError `unavailable` when some may remain; safe to repeat
 */
export async function removeTitles(
  titleIds: readonly string[],
  at: EpochSeconds,
  options: TitleRemovalOptions,
): Promise<void> {
  const { revision, records } = await options.titles.read();
  const due = dueOf(catalogOf(revision, records), titleIds, at);
  for (const titleId of due) await options.contents.remove(titleId);
  await retryStale('titles', () => tryRemove(due, at, options));
}

/** Titles that were not seen later, and not withdrawn already. */
function dueOf({ records }: Catalog, titleIds: readonly string[], at: EpochSeconds): string[] {
  return titleIds.filter((titleId) => {
    const record = records.get(titleId);
    if (record === undefined) return true;
    const seenAt = Math.max(record.home?.seenAt ?? 0, record.page?.seenAt ?? 0);
    return seenAt <= at && !isWithdrawn(record, at);
  });
}

async function tryRemove(
  titleIds: readonly string[],
  at: EpochSeconds,
  { titles, clock, origin }: TitleRemovalOptions,
): Promise<'done' | 'stale'> {
  const { revision, records } = await titles.read();
  const catalog = catalogOf(revision, records);
  const withdrawn = dueOf(catalog, titleIds, at).map((titleId): TitleRecord => {
    return { titleId, home: null, page: null, changedAt: at };
  });
  if (withdrawn.length === 0) return 'done';
  const left = new Map([...catalog.records, ...withdrawn.map((record) => [record.titleId, record] as const)]);
  const names = namesOf(left);
  const renamed = [...names].filter(([titleId, name]) => catalog.names.get(titleId) !== name);
  const changed = renamed.flatMap(([titleId]) => titleMetadata({ records: left, names }, titleId) ?? []);
  const nowMs = clock();
  const about = { origin, occurredAt: Math.floor(nowMs / 1000), past: false };
  const retired = [...catalog.names.keys()].filter((titleId) => !names.has(titleId));
  const { facts, revision: last } = titleFacts({ changed, retired }, nextRevision(revision, nowMs), about);
  const commit = { expectedRevision: revision, revision: last, records: withdrawn, facts };
  return (await titles.commit(commit)) ? 'done' : 'stale';
}
