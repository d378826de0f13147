import {
  compareCodePoints,
  hasWord,
  isNear,
  isPartKey,
  matches,
  matchOf,
  nameKey,
  nameQuery,
  wordKeys,
  type NameQuery,
  type NameType,
  type OperationQuery,
  type operations,
  type OperationResponse,
  type Reply,
} from '@lobbystats/contracts';
import type { FoundName, NameQueries } from './names.queries.ts';
import type { CatalogReader } from '../boards/catalog-reader.ts';
import type { TitleView } from '../titles/title-view.ts';

type Suggestion = OperationResponse<typeof operations.findNames>['suggestions'][number];

/** Bounds the names that are compared beyond those of the index's order. */
const COMPARED_MAX = 100;
/** Bounds the names that are read in the index's order. */
const NAMES_MAX = 6400;
/** Bounds the names that are compared when no name matches. */
const NEAR_MAX = 400;
/** Fewer letters begin too many names. */
const HALF_MIN = 2;
/** Bounds the titles whose leaderboards are read for a query of several words. */
const TITLES_MAX = 10;

/** Games come before other names that match as well. If no name matches, those that do but for one letter are found. */
export async function findNames(
  reader: CatalogReader<NameQueries>,
  { q, type, limit }: OperationQuery<typeof operations.findNames>,
): Promise<Reply<typeof operations.findNames>> {
  const query = nameQuery(q);
  const matching = query === undefined ? [] : await findAll(reader, query, { type, limit });
  const approximate = matching.length === 0;
  const found = approximate && query !== undefined ? await findNear(reader, query, type) : matching;
  const suggestions = await withBoardCounts(reader, found.sort(byRelevance).slice(0, limit));
  return { body: { suggestions, approximate: approximate && found.length > 0 } };
}

/** `type`: undefined for all. */
interface Bounds {
  readonly type: NameType | undefined;
  readonly limit: number;
}

async function findAll(
  reader: CatalogReader<NameQueries>,
  query: NameQuery,
  { type, limit }: Bounds,
): Promise<Suggestion[]> {
  const { titles, boards } = reader;
  const view = await titles.view();
  const found = new Map<string, Suggestion>();
  const add = (names: readonly FoundName[]) => {
    for (const suggestion of names.flatMap((name) => toSuggestion(name, view))) {
      const id = idOf(suggestion);
      if (type !== undefined && suggestion.type !== type) continue;
      if (!found.has(id)) found.set(id, suggestion);
    }
  };
  if (type === 'game') return matchingGames(reader, view, query);
  // Names of another type are passed over.
  for (let count = limit; count <= NAMES_MAX; count *= 2) {
    const names = await boards.namesWithWord(query.key, count);
    add(names);
    // Boards of titles without a name are hidden.
    if (found.size >= limit || names.length < count) break;
  }
  if (query.words.length > 1) add(await namesOfWords(reader, view, query));
  if (found.size < limit && isPartKey(query.key)) add(await boards.namesWithPart(query.key, COMPARED_MAX));
  return [...(type === undefined ? await matchingGames(reader, view, query) : []), ...found.values()];
}

/** A half of the text is spelled right: the names with it at their beginning, or inside a word, are compared. */
async function findNear(
  { titles, boards }: CatalogReader<NameQueries>,
  query: NameQuery,
  type?: NameType,
): Promise<Suggestion[]> {
  const view = await titles.view();
  const games = type === undefined || type === 'game' ? await gameSuggestions(boards, view.near(query)) : [];
  if (type === 'game') return games;
  const letters = Array.from(query.key);
  const middle = Math.floor((letters.length - 1) / 2);
  const beginning = letters.slice(0, middle).join('');
  const end = letters.slice(middle + 1).join('');
  const candidates = await Promise.all([
    middle < HALF_MIN ? [] : boards.namesWithWord(beginning, NEAR_MAX),
    isPartKey(end) ? boards.namesWithWord(end, NEAR_MAX) : [],
    isPartKey(end) ? boards.namesWithPart(end, NEAR_MAX) : [],
  ]);
  const near = candidates
    .flat()
    .filter(({ name }) => isNear(wordKeys(name), query))
    .flatMap((name) => toSuggestion({ ...name, match: matches.near }, view))
    .filter((suggestion) => type === undefined || suggestion.type === type);
  return [...games, ...new Map(near.map((suggestion) => [idOf(suggestion), suggestion])).values()];
}

async function matchingGames(
  { boards }: CatalogReader<NameQueries>,
  view: TitleView,
  query: NameQuery,
): Promise<Suggestion[]> {
  return gameSuggestions(boards, view.matching(query));
}

async function gameSuggestions(
  boards: CatalogReader<NameQueries>['boards'],
  games: ReturnType<TitleView['matching']>,
): Promise<Suggestion[]> {
  const entryCounts = await boards.entryCounts(games.map(({ title }) => title.titleId));
  return games.map(({ title: { titleId, name }, match }) => ({
    ...{ type: 'game', name, titleId, gameName: name, leaderboardId: null, leaderboards: null, match },
    entries: entryCounts.get(titleId) ?? 0,
  }));
}

/** Names with all words in any order; those of a leaderboard may be in the name of its game. */
async function namesOfWords(
  { boards }: CatalogReader<NameQueries>,
  view: TitleView,
  query: NameQuery,
): Promise<FoundName[]> {
  const [longest = ''] = query.words.toSorted((one, other) => other.length - one.length);
  const ofGames = view.withSomeWords(query).slice(0, TITLES_MAX);
  const [named, ...lists] = await Promise.all([
    boards.namesWithWord(longest, COMPARED_MAX),
    ...ofGames.map(({ title }) => boards.boardsOf(title.titleId)),
  ]);
  const own = named.filter(({ name }) => matchOf(wordKeys(name), query) !== undefined);
  const shared = ofGames.flatMap(({ missing }, index) =>
    (lists[index] ?? [])
      .filter(({ name }) => {
        const keys = wordKeys(name);
        const needed = missing.length > 0 ? missing : query.words;
        return needed.every((word) => hasWord(keys, word));
      })
      .map(({ name, entryCount, titleId, leaderboardId }) => ({
        ...{ name, entries: entryCount, board: { titleId, leaderboardId } },
      })),
  );
  return [...own, ...shared].map((name) => ({ ...name, match: matches.everyWord }));
}

function toSuggestion({ match, name, entries, board }: FoundName, view: TitleView): Suggestion[] {
  const nowhere = { titleId: null, gameName: null, leaderboardId: null, leaderboards: null };
  if (board === null) return [{ type: 'player', name, ...nowhere, entries, match }];
  const title = view.get(board.titleId)?.title;
  if (title === undefined) return [];
  return [{ type: 'leaderboard', name, ...board, gameName: title.name, leaderboards: null, entries, match }];
}

/** A player may have several entries on a leaderboard. */
async function withBoardCounts(
  { titles, boards }: CatalogReader<NameQueries>,
  found: Suggestion[],
): Promise<Suggestion[]> {
  const players = found.filter(({ type }) => type === 'player').map(({ name }) => nameKey(name));
  const [view, counts] = await Promise.all([titles.view(), boards.boardCounts(players)]);
  return found.map((suggestion) => {
    const byTitle = suggestion.type === 'player' ? counts.get(nameKey(suggestion.name)) : undefined;
    if (byTitle === undefined) return suggestion;
    const known = [...byTitle].filter(([titleId]) => view.get(titleId) !== undefined);
    return { ...suggestion, leaderboards: known.reduce((sum, [, count]) => sum + count, 0) };
  });
}

function byRelevance(one: Suggestion, other: Suggestion): number {
  return (
    one.match - other.match ||
    Number(other.type === 'game') - Number(one.type === 'game') ||
    other.entries - one.entries ||
    compareCodePoints(one.name, other.name) ||
    compareCodePoints(idOf(one), idOf(other))
  );
}

function idOf({ type, name, titleId, leaderboardId }: Suggestion): string {
  return type === 'player'
    ? `player ${nameKey(name)}`
    : `${type} ${titleId} ${String(leaderboardId ?? '').padStart(10)}`;
}
