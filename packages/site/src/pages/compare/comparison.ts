import { COMPARED_GAMES_MAX, nameKey, oneOf, operations } from '@lobbystats/contracts';
import { z } from 'zod';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { meantGame } from '../../parts/meant-game.ts';
import { snapshotRanges, type SnapshotRange } from '../../parts/ranges.ts';

/** Names separated by commas, or given several times, as forms do. */
const nameList = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().join(','))
  .refine((text) => text.length <= 1000, 'must be at most 1000 characters')
  .default('');

export const comparedRanges = Object.keys(snapshotRanges) as SnapshotRange[];
const DEFAULT_RANGE: SnapshotRange = '24h';

export const comparisonQuery = z.object({
  games: nameList,
  players: nameList,
  tab: oneOf(['games', 'players']).optional(),
  range: z.enum(comparedRanges, { error: `must be one of ${comparedRanges.join(', ')}` }).default(DEFAULT_RANGE),
  /** Offset in the common leaderboards. */
  offset: operations.listGames.query.shape.offset,
});

/** Games and players that are compared. */
export interface Comparison {
  readonly titleIds: readonly string[];
  readonly players: readonly string[];
  readonly range: SnapshotRange;
  readonly tab: ComparisonTab;
}

export type ComparisonTab = 'games' | 'players';

/** The tab of a URL that names none. */
export function impliedTab({ titleIds, players }: Pick<Comparison, 'titleIds' | 'players'>): ComparisonTab {
  return players.length > 0 && titleIds.length === 0 ? 'players' : 'games';
}

/** The canonical path of a comparison. */
export function comparePath({ titleIds, players, range, tab }: Comparison, offset = 0): string {
  return links.compare({
    games: titleIds.join(','),
    players: players.join(','),
    tab: tab === impliedTab({ titleIds, players }) ? undefined : tab,
    range: range === DEFAULT_RANGE ? undefined : range,
    offset: offset === 0 ? undefined : offset,
  });
}

/** A name that can not be compared, with the names or title IDs that it may mean. */
export interface UnknownName {
  readonly text: string;
  readonly candidates: readonly { readonly key: string; readonly name: string }[];
}

/** Things to compare, and names that can not be compared. */
export interface Chosen {
  readonly names: readonly string[];
  readonly unknown: readonly UnknownName[];
  /** Beyond the maximum. */
  readonly leftOut: readonly string[];
}

/** Names may have commas of their own: as many pieces as this are tried as one name. */
const PIECES_MAX = 4;

/** Title IDs of games given by name or title ID. */
export function chooseGames(text: string, titles: PageData['titles']): Chosen {
  const pieces = text.split(',');
  const found = new Set<string>();
  const unknown: UnknownName[] = [];
  for (let start = 0; start < pieces.length;) {
    const [titleId, end] = longestName(pieces, start, titles);
    const piece = pieces[start]?.trim() ?? '';
    start = end;
    const meant = titleId === undefined ? meantGame(piece, titles) : { titleId, candidates: [] };
    if (meant.titleId !== undefined) found.add(meant.titleId);
    else if (piece !== '') {
      unknown.push({
        text: piece,
        candidates: meant.candidates.map((game) => ({ key: game.titleId, name: game.name })),
      });
    }
  }
  const all = [...found];
  return { names: all.slice(0, COMPARED_GAMES_MAX), unknown, leftOut: all.slice(COMPARED_GAMES_MAX) };
}

function longestName(
  pieces: readonly string[],
  start: number,
  titles: PageData['titles'],
): readonly [titleId: string | undefined, end: number] {
  for (let end = Math.min(start + PIECES_MAX, pieces.length); end > start; end -= 1) {
    const titleId = titles.resolveLink(pieces.slice(start, end).join(',').trim());
    if (titleId !== undefined) return [titleId, end];
  }
  return [undefined, start + 1];
}

export const COMPARED_PLAYERS = 2;

/** Names of players; whether they exist shows later. */
export function choosePlayers(text: string): Chosen {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const all = [...new Map(names.toReversed().map((name) => [nameKey(name), name])).values()].reverse();
  const isPossible = (name: string) => operations.getPlayer.params.safeParse({ player: name }).success;
  const possible = all.filter(isPossible);
  return {
    names: possible.slice(0, COMPARED_PLAYERS),
    unknown: all.filter((name) => !isPossible(name)).map((text) => ({ text, candidates: [] })),
    leftOut: possible.slice(COMPARED_PLAYERS),
  };
}
