import { operations, type OperationResponse } from '@lobbystats/contracts';
import { maximumOf } from '../../bounds.ts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import { mediaTypes, type PageData } from '../../page.ts';
import { cursorPager } from './cursor-pager.ts';
import { cursorFilters, cursorSearch } from './cursor-search.ts';
import { empty, section } from '../../parts/part.ts';
import type { Column } from '../../parts/table.ts';
import { plural, type Titles } from '../../parts/text.ts';
import { entryTable, type Entry } from './entry-table.ts';
import { gameField } from './game-field.ts';
import { searchForm } from './search-form.ts';
import { searchPath, type SearchQuery, type SearchView } from './search-query.ts';

const { searchByTime } = operations;

type Found = OperationResponse<typeof searchByTime>;

/** Entries on all leaderboards whose time is near a time. */
export async function timeSearch(query: SearchQuery, data: PageData): Promise<SearchView> {
  const { time, tolerance = '', game = '' } = query;
  const filters = { time, ...cursorFilters(query, data) };
  let nearest: number | undefined;
  return cursorSearch(query, {
    isAsked: time !== undefined,
    ask: async (page) => {
      const found = await data.askPart(searchByTime, {}, { ...filters, ...page });
      if (found?.total === 0) nearest = await nearestDistance(data, filters);
      return found;
    },
    form: (fault) =>
      searchForm(
        'time',
        [
          { name: 'time', label: 'Time', hint: 'm:ss.mmm, such as 1:20.500, or seconds, such as 80.500', value: time },
          {
            ...{ name: 'tolerance', label: 'Tolerance', kind: 'number', value: tolerance },
            hint: 'Milliseconds more or less. Empty: exactly that time.',
          },
          gameField(game),
        ],
        fault,
      ),
    results: (found) => resultSection(found, query, nearest, data.titles),
    alternate: {
      type: mediaTypes.json,
      href: apiPath(searchByTime.path, {}, filters),
      title: 'Entries near that time as JSON',
    },
  });
}

type Filters = { readonly time: string | undefined } & ReturnType<typeof cursorFilters>;

/** Milliseconds to the nearest entry; undefined without one within the greatest tolerance. */
async function nearestDistance(data: PageData, filters: Filters): Promise<number | undefined> {
  const found = await data.askPart(searchByTime, {}, { ...filters, tolerance: TOLERANCE_MAX, limit: 1 });
  const [entry] = found?.results ?? [];
  return found && entry && Math.abs(entry.timeMs - found.searchTimeMs);
}

const TOLERANCE_MAX = maximumOf(searchByTime.query.shape.tolerance);
/** Round values, which find more than the one nearest entry. */
const TOLERANCES = [10, 50, 100, 500, 1000, 5000, 10_000, TOLERANCE_MAX];

/** Links to a search that finds the nearest entry. */
function withTolerance(query: SearchQuery, nearest: number | undefined): Html {
  const tolerance = TOLERANCES.find((one) => nearest !== undefined && nearest <= one);
  if (tolerance === undefined) return html`There is none within ${formatSeconds(TOLERANCE_MAX)} either.`;
  const href = searchPath(query, { tolerance: String(tolerance), cursor: undefined });
  return html`<a href="${href}">Search within ${formatSeconds(tolerance)} of it</a>`;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms % 10 === 0 ? 2 : 3)} s`;
}

function resultSection(found: Found, query: SearchQuery, nearest: number | undefined, titles: Titles): Html {
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
      ? empty(html`No leaderboard has an entry ${near} ${searchTime}. ${withTolerance(query, nearest)}`)
      : entryTable(`Entries ${near} ${searchTime}`, results, 'Time', titles, [difference]);
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
