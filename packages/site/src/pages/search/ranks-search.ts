import { operations, SEARCH_PLAYERS_MAX, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { empty, part, section } from '../../parts/part.ts';
import { pager } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { formatCount, playerLink, plural, type Titles } from '../../parts/text.ts';
import { boardAndGame } from './entry-table.ts';
import { gameField, titleFilterOf } from './game-field.ts';
import { outcomeOf, type InputFault } from './input-fault.ts';
import { searchForm } from './search-form.ts';
import { searchPath, type SearchQuery, type SearchView } from './search-query.ts';

const { searchByRanks } = operations;

type Found = OperationResponse<typeof searchByRanks>;

const ROWS = 50;

/** Leaderboards on which players stand at given ranks. */
export async function ranksSearch(query: SearchQuery, data: PageData): Promise<SearchView> {
  const { ranks, game = '' } = query;
  const isAsked = ranks !== undefined;
  const titleId = titleFilterOf(game, data);
  const body = { players: playersOf(ranks ?? ''), titleId };
  const { response, fault } = isAsked
    ? await outcomeOf(data.askPart(searchByRanks, {}, {}, body), (parameter) =>
        parameter.startsWith('players') ? 'ranks' : 'game',
      )
    : {};
  const form = searchForm(
    'ranks',
    [
      {
        ...{ name: 'ranks', label: 'Ranks and players', kind: 'lines', value: ranks },
        hint: `Up to ${SEARCH_PLAYERS_MAX} lines: a rank, then the player’s name, such as “1 Ember Fox”`,
      },
      gameField(game),
    ],
    fault && withPlainNumber(fault),
  );
  const results =
    fault === undefined && isAsked ? part(response, (found) => resultSection(found, query, data.titles)) : '';
  return { content: html`${form}${results}` };
}

/** A line is a rank, then a name. */
function playersOf(lines: string): { rank: string; playerName: string }[] {
  return lines.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, rank, playerName = ''] = /^(\S+)\s*(.*)$/.exec(line.trim()) ?? [];
    return rank === undefined ? [] : [{ rank, playerName }];
  });
}

/** `players[0].rank must …` becomes `Player 1: rank must …`. */
function withPlainNumber({ field, message }: InputFault): InputFault {
  const plain = message
    .replace(/^players\[(\d+)\]\./, (_, index: string) => `Player ${Number(index) + 1}: `)
    .replace('playerName', 'name');
  return { field, message: plain };
}

function resultSection({ players, results }: Found, query: SearchQuery, titles: Titles): Html {
  const total = results.length;
  const rows = results.slice(query.offset, query.offset + ROWS);
  const content =
    total === 0
      ? empty('No leaderboard has one of these players at that rank.')
      : table<Found['results'][number]>({
          ...{ id: 'board', rows, key: ({ titleId, leaderboardId }) => `${titleId} ${leaderboardId}` },
          caption: 'Leaderboards with players at these ranks',
          empty: 'There is no such page of the results.',
          columns: [
            { heading: 'Leaderboard', isHead: true, cell: (board) => boardAndGame(titles, board) },
            {
              heading: 'Found',
              isNumber: true,
              cell: ({ matchedCount }) => `${matchedCount} of ${players.length}`,
            },
            { heading: 'Players', cell: ({ matches }) => playersAtRanks(matches) },
          ],
        });
  return section(
    'results',
    'Leaderboards',
    html`${content}
    ${pager({
      ...{ total, limit: ROWS, offset: query.offset, label: 'leaderboards' },
      href: (offset) => searchPath(query, { offset }),
    })}`,
    plural(total, 'leaderboard'),
  );
}

function playersAtRanks(matches: Found['results'][number]['matches']): Html {
  return html`${matches.map(
    ({ rank, playerName }, index) => html`${index > 0 && ' · '}${formatCount(rank)} ${playerLink(playerName)}`,
  )}`;
}
