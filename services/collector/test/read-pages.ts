import { UnparseablePageError } from '../src/network/page-failures.ts';
import type { BoardPageReading, GamePageReading, HomepageReading } from '../src/network/network.ts';
import { sourcesFile, type HtmlSource } from '../src/sources/descriptions/source-description.ts';
import { descriptionOf } from '../src/sources/descriptions/built-in.ts';
import type { PageContext } from '../src/sources/pages/page.parse.ts';
import { pageReaders } from '../src/sources/pages/read-page.parse.ts';
import { page } from './page-builder.ts';

const BASE = 'https://network.example/live/';

/** Reads a page by a description, what is built in without one. */
function readerOf(source: HtmlSource) {
  return (html: string, sources: object = {}, context: PageContext = {}) =>
    pageReaders[source](html, descriptionOf(source, sourcesFile.parse(sources)), {
      baseUrl: BASE,
      ...context,
    });
}

export const readHomepage = readerOf('homepage') as (html: string, sources?: object) => HomepageReading;
export const readGamePage = readerOf('titles') as (html: string, sources?: object) => GamePageReading;
export const readBoardPage = readerOf('leaderboards') as (
  html: string,
  sources?: object,
  context?: PageContext,
) => BoardPageReading;

export type Cells = readonly string[];

export const row = (cells: Cells, tag = 'td') => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
export const table = (headings: Cells, rows: readonly Cells[], tag = '<table>') =>
  `${tag}<thead>${row(headings, 'th')}</thead><tbody>${rows.map((cells) => row(cells)).join('')}</tbody></table>`;

/** A homepage with two games. */
export const COUNTERS =
  '<div><h3>24,409</h3><p>Registered Users</p></div><div><h3>2</h3><p>Games Supported</p></div>' +
  '<div><h3>481</h3><p>Users Online Now</p></div>';
export const GAMES = ['Game', 'Serial', 'Online users', 'Active players'];
export const harbor = ['<a>Harbor Six</a><br><small>Quillon</small>', 'MS-001<br>4D530001', '12', '4 in 1 session'];
export const pier = ['Old Pier', 'N/A 4d530002', '0', '-'];
export const games = table(GAMES, [harbor, pier]);
export const homepage = (html: string, counters = COUNTERS) => page(`${counters}<h2>Games</h2>${html}`);
/** A reading of what a description makes of a page; the reason when it is refused. */
export function attempt<Reading>(read: () => Reading): Reading | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnparseablePageError) return error.reason;
    throw error;
  }
}

/** What {@link attempt} returns for a page that is refused. */
export const refused = (reason: RegExp): unknown => expect.stringMatching(reason);
