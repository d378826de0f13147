import { operations, SEARCH_PLAYERS_MAX, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import { mediaTypes, type PageData } from '../../page.ts';
import { cursorPager } from './cursor-pager.ts';
import { cursorFilters, cursorSearch } from './cursor-search.ts';
import { empty, section } from '../../parts/part.ts';
import { playerLink, plural, type Titles } from '../../parts/text.ts';
import { entryTable } from './entry-table.ts';
import { gameField } from './game-field.ts';
import { searchForm } from './search-form.ts';
import { searchPath, type SearchQuery, type SearchView } from './search-query.ts';

const { searchByPlayers } = operations;

type Found = OperationResponse<typeof searchByPlayers>;

/** Entries of several players; with a tolerance, those that are near each other. */
export async function playersSearch(query: SearchQuery, data: PageData): Promise<SearchView> {
  const { names, tolerance = '', game = '' } = query;
  const filters = { names, ...cursorFilters(query, data) };
  return cursorSearch(query, {
    isAsked: names !== undefined,
    ask: (page) => data.askPart(searchByPlayers, {}, { ...filters, ...page }),
    form: (fault) =>
      searchForm(
        'players',
        [
          {
            ...{ name: 'names', label: 'Players', kind: 'players', value: names },
            hint: `Up to ${SEARCH_PLAYERS_MAX}, separated by commas`,
          },
          {
            ...{ name: 'tolerance', label: 'Within', kind: 'number', value: tolerance },
            hint: 'Milliseconds: only times that two of them have so near each other. Empty: all entries.',
          },
          gameField(game),
        ],
        fault,
      ),
    results: (found) => resultSection(found, query, data.titles),
    alternate: {
      type: mediaTypes.json,
      href: apiPath(searchByPlayers.path, {}, filters),
      title: 'Entries of these players as JSON',
    },
  });
}

function resultSection(
  { names, tolerance, results, total = 0, nextCursor }: Found,
  query: SearchQuery,
  titles: Titles,
): Html {
  const heading = tolerance === null ? 'Entries' : `Entries within ${(tolerance / 1000).toFixed(3)} s of each other`;
  const content =
    total === 0
      ? empty(
          tolerance === null
            ? 'No leaderboard has an entry of them.'
            : 'No two of them have times so near each other. A greater tolerance may find some.',
        )
      : entryTable(heading, results, 'Rating', titles);
  const players = names.map((name, index) => html`${index > 0 && ', '}${playerLink(name)}`);
  return section(
    'results',
    heading,
    html`<p class="lead">${players}</p>
      ${content}
      ${cursorPager({
        cursor: query.cursor,
        nextCursor,
        href: (cursor) => searchPath(query, { cursor }),
        label: 'entries',
      })}`,
    plural(total, 'entry', 'entries'),
  );
}
