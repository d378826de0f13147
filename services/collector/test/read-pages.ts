import { UnparseablePageError } from '../src/network/page-failures.ts';
import type { BoardPageReading, GamePageReading, HomepageReading } from '../src/network/network.ts';
import { sourcesFile, type HtmlSource } from '../src/network/source-description.ts';
import { descriptionOf } from '../src/pages/built-in.ts';
import type { PageContext } from '../src/pages/page.parse.ts';
import { readPage } from '../src/pages/read-page.parse.ts';

const BASE = 'https://network.example/live/';

/** Reads a page by a description, what is built in without one. */
function readerOf(source: HtmlSource) {
  return (html: string, sources: object = {}, context: PageContext = {}) =>
    readPage(source, html, descriptionOf(source, sourcesFile.parse(sources)), { baseUrl: BASE, ...context });
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

/** A reading of what a description makes of a page; the reason when it is refused. */
export function attempt<Reading>(read: () => Reading): Reading | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnparseablePageError) return error.reason;
    throw error;
  }
}
