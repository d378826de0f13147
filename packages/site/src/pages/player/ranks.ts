import type { Change } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { pager } from '../../parts/pager.ts';
import { part, section } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { boardLink, formatChange, formatCount, gameLink, name, plural, type Titles } from '../../parts/text.ts';
import { SCORES_MAX, type FoundPlayer, type Score } from '../../parts/find-player.ts';
import { historyKey } from './rank-history.ts';
import type { PlayerQuery, PlayerUrl } from './player-url.ts';

export const ranksOrders = ['rank', 'game'] as const;
const PAGE_ROWS = 25;

/** The leaderboards of a player, with the moves of the last day. @param changes of the last day, newest first */
export function ranksSection(
  { scores, standing }: Pick<FoundPlayer, 'scores' | 'standing'>,
  changes: readonly Change[] | undefined,
  { sort, ranksOffset }: PlayerQuery,
  urlOf: PlayerUrl,
  titles: Titles,
): Html {
  const moves = movesOf(changes ?? []);
  const total = standing?.leaderboardsOn;
  return section(
    'ranks',
    'Leaderboards',
    part(scores, (all) => {
      const rows = sort === 'game' ? all.toSorted(byGame) : all;
      return html`${table<Score>({
        ...{ id: 'board', rows: rows.slice(ranksOffset, ranksOffset + PAGE_ROWS), key: boardKey },
        caption: 'Ranks on leaderboards',
        empty: 'On no leaderboard',
        sort: {
          by: sort,
          order: 'ascending',
          href: (by) => urlOf({ sort: by, ranksOffset: undefined }, 'ranks'),
        },
        columns: [
          { heading: 'Rank', isNumber: true, sortBy: 'rank', cell: ({ rank }) => formatCount(rank) },
          { heading: '24\u00A0h', isNumber: true, cell: (score) => move(score, moves.get(boardKey(score))) },
          { heading: 'Leaderboard', isHead: true, cell: (score) => boardCell(titles, score) },
          {
            heading: 'Game',
            sortBy: 'game',
            isMinor: true,
            cell: ({ titleId, gameName }) => gameLink(titles, titleId, gameName),
          },
          { heading: 'Rating', isNumber: true, cell: ratingText },
          {
            heading: 'History',
            isMinor: true,
            cell: (score) => html`<a href="${urlOf({ history: historyKey(score) }, 'history')}">History</a>`,
          },
        ],
      })}
      ${pager({
        total: all.length,
        limit: PAGE_ROWS,
        offset: ranksOffset,
        href: (offset) => urlOf({ ranksOffset: offset === 0 ? undefined : offset }, 'ranks'),
        label: 'leaderboards',
      })}
      ${all.length === SCORES_MAX && html`<p class="hint">The best ${formatCount(SCORES_MAX)} ranks.</p>`}`;
    }),
    total === undefined || total === 0
      ? undefined
      : `${plural(total, 'leaderboard')} · 24 h: ranks gained or lost by new results of this player`,
  );
}

/** As the API has it: times in `m:ss.mmm`. */
function ratingText({ timeFormatted, rating }: Pick<Score, 'timeFormatted' | 'rating'>): string {
  return timeFormatted === '' ? rating : timeFormatted;
}

/** On narrow screens the game stands below, in place of its column. */
function boardCell(titles: Titles, score: Score): Html {
  const { titleId, gameName, playerName } = score;
  return html`${boardLink(titles, score, { around: playerName })}
    <span class="below hint">${name(gameName === '' ? titleId : gameName)}</span>`;
}

/** The rank before the first change of the day, by board; null where the player was new. */
function movesOf(changes: readonly Change[]): ReadonlyMap<string, number | null> {
  return new Map(changes.map((change) => [boardKey(change), change.oldRank]));
}

function boardKey({ titleId, leaderboardId }: Pick<Score, 'titleId' | 'leaderboardId'>): string {
  return `${titleId}:${leaderboardId}`;
}

function move({ rank }: Score, before: number | null | undefined): Html | string {
  if (before === undefined) return '–';
  if (before === null) return html`<span class="up">new</span>`;
  const change = before - rank;
  const direction = change === 0 ? '' : change > 0 ? 'up' : 'down';
  return html`<span class="${direction}">${formatChange(change)}</span>`;
}

const names = new Intl.Collator('en');

function byGame(a: Score, b: Score): number {
  return names.compare(a.gameName, b.gameName) || names.compare(a.leaderboardName, b.leaderboardName);
}
