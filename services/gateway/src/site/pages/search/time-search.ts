import { operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import { mediaTypes, type PageData } from '../../page.ts';
import { cursorPager } from './cursor-pager.ts';
import { cursorFilters, cursorSearch } from './cursor-search.ts';
import { empty, section } from '../../parts/part.ts';
import type { Column } from '../../parts/table.ts';
import { plural } from '../../parts/text.ts';
import { entryTable, type Entry } from './entry-table.ts';
import { gameField } from './game-field.ts';
import { searchForm } from './search-form.ts';
import { searchPath, type SearchQuery, type SearchView } from './search-query.ts';

const { searchByTime } = operations;

type Answer = OperationResponse<typeof searchByTime>;

/** Entries on all leaderboards whose time is near a time. */
export async function timeSearch(query: SearchQuery, data: PageData): Promise<SearchView> {
  const { time, tolerance = '', game = '' } = query;
  const filters = { time, ...cursorFilters(query, data) };
  return cursorSearch(query, {
    isAsked: time !== undefined,
    ask: (page) => data.askPart(searchByTime, {}, { ...filters, ...page }),
    form: (fault) =>
      searchForm(
        'time',
        [
          { name: 'time', label: 'Time', hint: 'm:ss.mmm, such as 1:20.500', value: time },
          {
            ...{ name: 'tolerance', label: 'Tolerance', kind: 'number', value: tolerance },
            hint: 'Milliseconds more or less. Empty: exactly that time.',
          },
          gameField(game),
        ],
        fault,
      ),
    results: (found) => resultSection(found, query),
    alternate: {
      type: mediaTypes.json,
      href: apiPath(searchByTime.path, {}, filters),
      title: 'Entries near that time as JSON',
    },
  });
}

function resultSection(found: Answer, query: SearchQuery): Html {
  const { searchTime, searchTimeMs, tolerance, results, total = 0, nextCursor } = found;
  const near = tolerance === 0 ? 'of exactly' : `within ${(tolerance / 1000).toFixed(3)} s of`;
  const difference: Column<Entry> = {
    heading: 'Difference',
    isNumber: true,
    isMinor: true,
    cell: ({ timeMs }) => formatDifference(timeMs - searchTimeMs),
  };
  const content =
    total === 0
      ? empty(`No leaderboard has an entry ${near} ${searchTime}. A greater tolerance may find some.`)
      : entryTable(`Entries ${near} ${searchTime}`, results, 'Time', [difference]);
  return section(
    'results',
    `Entries ${near} ${searchTime}`,
    html`${content}
    ${cursorPager({
      cursor: query.cursor,
      nextCursor,
      href: (cursor) => searchPath(query, { cursor }),
      label: 'entries',
    })}`,
    plural(total, 'entry', 'entries'),
  );
}

const seconds = new Intl.NumberFormat('en', { minimumFractionDigits: 3, signDisplay: 'exceptZero' });

/** `+0.017 s`, `−0.250 s`. */
function formatDifference(ms: number): string {
  return `${seconds.format(ms / 1000).replace('-', '−')} s`;
}
