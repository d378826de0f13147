import {
  compareCodePoints,
  type OperationQuery,
  type operations,
  type OperationResponse,
  type Reply,
} from '@lobbystats/contracts';
import type { FoundName } from '../leaderboards/board-store.ts';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';
import type { TitleView } from '../titles/title-view.ts';
import { wordKeys, type Match } from './word-keys.ts';

type Suggestion = OperationResponse<typeof operations.suggestNames>['suggestions'][number];

interface Candidate {
  readonly match: Match;
  readonly suggestion: Suggestion;
}

export async function suggestNames(
  reader: CatalogReader,
  { q, limit }: OperationQuery<typeof operations.suggestNames>,
): Promise<Reply<typeof operations.suggestNames>> {
  const [key] = wordKeys(q);
  const candidates = key === undefined ? [] : await findCandidates(reader, key, limit);
  const suggestions = candidates
    .sort(byRelevance)
    .slice(0, limit)
    .map(({ suggestion }) => suggestion);
  return { body: { q, suggestions, count: suggestions.length } };
}

async function findCandidates({ titles, boards }: CatalogReader, key: string, limit: number): Promise<Candidate[]> {
  const view = await titles.view();
  const games = view.withWord(key);
  const entryCounts = await boards.entryCounts(games.map(({ title }) => title.titleId));
  const candidates = games.map(({ title: { titleId, name }, match }): Candidate => ({
    match,
    suggestion: {
      type: 'game',
      name,
      titleId,
      gameName: name,
      leaderboardId: null,
      entries: entryCounts.get(titleId) ?? 0,
    },
  }));
  for (let count = limit; ; count *= 2) {
    const found = await boards.namesWithWord(key, count);
    const shown = found.flatMap((name) => toCandidate(name, view));
    // Boards of titles without a name are hidden.
    if (shown.length >= limit || found.length < count) return [...candidates, ...shown];
  }
}

function toCandidate({ match, name, entries, board }: FoundName, view: TitleView): Candidate[] {
  if (board === null) {
    return [
      { match, suggestion: { type: 'player', name, titleId: null, gameName: null, leaderboardId: null, entries } },
    ];
  }
  const { titleId, leaderboardId } = board;
  const title = view.get(titleId)?.title;
  if (title === undefined) return [];
  return [{ match, suggestion: { type: 'leaderboard', name, titleId, gameName: title.name, leaderboardId, entries } }];
}

function byRelevance(a: Candidate, b: Candidate): number {
  const [one, other] = [a.suggestion, b.suggestion];
  return (
    a.match - b.match ||
    other.entries - one.entries ||
    compareCodePoints(one.name, other.name) ||
    compareCodePoints(idOf(one), idOf(other))
  );
}

function idOf({ type, titleId, leaderboardId }: Suggestion): string {
  return `${type} ${titleId ?? ''} ${String(leaderboardId ?? '').padStart(10)}`;
}
