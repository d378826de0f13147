import { nextRevision } from '@lobbystats/contracts';
import { retryStale } from '../database/stale-commits.ts';
import { titleFacts } from '../facts/catalog-facts.ts';
import { catalogOf, namesOf } from './catalog.ts';
import type { TitleContentStore, TitleStore } from './title-store.ts';
import { titleMetadata } from './title-view.ts';

export interface TitleRemovalOptions {
  readonly titles: TitleStore;
  readonly contents: TitleContentStore;
  readonly clock: () => number;
  readonly origin: string;
}

/**
 * Removes titles with their leaderboards and changes. A title that the homepage still has comes back as a new one. Other
 * titles may get a removed one's name.
 *
 * @throws AppError `unavailable` when some may remain; safe to repeat
 */
export async function removeTitles(titleIds: readonly string[], options: TitleRemovalOptions): Promise<void> {
  for (const titleId of titleIds) await options.contents.remove(titleId);
  await retryStale('titles', () => tryRemove(titleIds, options));
}

async function tryRemove(
  titleIds: readonly string[],
  { titles, clock, origin }: TitleRemovalOptions,
): Promise<'done' | 'stale'> {
  const { revision, records } = await titles.read();
  const catalog = catalogOf(revision, records);
  const removed = titleIds.filter((titleId) => catalog.records.has(titleId));
  if (removed.length === 0) return 'done';
  const left = new Map([...catalog.records].filter(([titleId]) => !removed.includes(titleId)));
  const names = namesOf(left);
  const renamed = [...names].filter(([titleId, name]) => catalog.names.get(titleId) !== name);
  const changed = renamed.flatMap(([titleId]) => titleMetadata({ records: left, names }, titleId) ?? []);
  const nowMs = clock();
  const about = { origin, occurredAt: Math.floor(nowMs / 1000), past: false };
  const retired = [...catalog.names.keys()].filter((titleId) => !names.has(titleId));
  const { facts, revision: last } = titleFacts({ changed, retired }, nextRevision(revision, nowMs), about);
  const commit = { expectedRevision: revision, revision: last, records: [], removed, facts };
  return (await titles.commit(commit)) ? 'done' : 'stale';
}
