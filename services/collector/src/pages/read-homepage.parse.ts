import { UnparseablePageError } from '../network/page-failures.ts';
import type { Activity, HomepageReading, HomeTitle } from '../network/network.ts';
import { readActivity, isIdle, readCount } from './text-values.ts';
import { readCounter } from './counters.parse.ts';
import { gamesOf, hasTitleId, isTotal, type GameCells } from './games-table.parse.ts';
import { iconOf } from './pictures.parse.ts';
import { tablesOf, type Cell, type Table } from './tables.parse.ts';
import { readName } from './names.parse.ts';
import { loadWholePage, type Page } from './page.parse.ts';

const MIN_READ_SHARE = 0.9;
const MAX_NAME_LENGTH = 1000;

/**
 * Tolerates other markup, attributes, number formats, columns and missing cells. Refuses a page that may be wrong: a cut
 * one, one without the online counter or with fewer users online than one of its games has, one with an unreadable row
 * that may be active, contradicting rows, or more than a tenth of its titles missing.
 *
 * @param baseUrl base of relative icon URLs
 * @throws UnparseablePageError with the reason
 */
export function readHomepage(html: string, baseUrl: string): HomepageReading {
  const page = loadWholePage(html);
  const online = readCounter(page, 'Users Online Now');
  if (typeof online !== 'number') throw new UnparseablePageError(`the counter "Users Online Now" is ${online}`);
  const registered = readCounter(page, 'Registered Users');
  const { titles, skippedRows } = readGames(page, gamesTable(page), baseUrl);
  const supported = readCounter(page, 'Games Supported');
  const expected = Math.max(titles.length + skippedRows, typeof supported === 'number' ? supported : 0);
  if (titles.length < expected * MIN_READ_SHARE) {
    throw new UnparseablePageError(`of ${expected} games only ${titles.length} could be read`);
  }
  const fullest = titles.reduce((most, title) => Math.max(most, title.online), 0);
  if (online < fullest) {
    throw new UnparseablePageError(`the counter "Users Online Now" is ${online}, but a game has ${fullest} users`);
  }
  // Scripts count counters up from 0: such a page says nothing about them.
  const isRegistered = typeof registered === 'number' && registered >= online;
  return { registered: isRegistered ? registered : null, online, titles, skippedRows };
}

function gamesTable(page: Page): Table {
  const [table] = tablesOf(page)
    .map((candidate) => ({ candidate, size: candidate.rows.filter(hasTitleId).length }))
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size);
  if (table === undefined) throw new UnparseablePageError('it has no table of games');
  const { lack } = table.candidate;
  if (lack !== undefined) throw new UnparseablePageError(`its table of games ${lack}`);
  return table.candidate;
}

function readGames(page: Page, table: Table, baseUrl: string): Pick<HomepageReading, 'titles' | 'skippedRows'> {
  const games = gamesOf(table);
  if (games === undefined) throw new UnparseablePageError('the headings of its table of games are not known');
  const titles = new Map<string, HomeTitle>();
  let skippedRows = 0;
  // A cell across the whole table is a heading between games.
  for (const row of games.rows.filter((cells) => cells.length > 1 && !isTotal(cells))) {
    const cells = games.cellsOf(row);
    const title = readTitle(page, cells, row, baseUrl);
    const known = title === undefined ? undefined : titles.get(title.titleId);
    if (title !== undefined && known === undefined) {
      titles.set(title.titleId, title);
      continue;
    }
    if (known !== undefined) {
      if (!isSame(known, title)) throw new UnparseablePageError(`it has two rows for ${known.titleId} that differ`);
      continue;
    }
    if (!isClearlyIdle(cells))
      throw new UnparseablePageError(`a game that may be played has no ${missingFieldOf(cells)}`);
    skippedRows += 1;
  }
  return { titles: [...titles.values()], skippedRows };
}

function readTitle({ text }: Page, cells: GameCells, row: Cell[], baseUrl: string): HomeTitle | undefined {
  const { titleId, productCode = '', title, publisher, online, activity } = cells;
  const count = readCount(online?.numbers ?? '');
  if (titleId === undefined || count === undefined) return undefined;
  const { name, below } = (title && readName(title.element, text, 1)) ?? { name: '', below: '' };
  return {
    titleId,
    name: name.length <= MAX_NAME_LENGTH ? name : '',
    publisher: publisher === undefined ? below : (readName(publisher.element, text)?.name ?? ''),
    image: iconOf(row, baseUrl),
    productCode,
    online: count,
    activity: activity === undefined ? null : activityOf(activity, count),
  };
}

/** Null also when it contradicts the users online of its row. */
function activityOf({ numbers }: Cell, online: number): Activity | null {
  const activity = numbers === undefined ? null : readActivity(numbers);
  return activity !== null && activity.sessions <= activity.players && activity.players <= online ? activity : null;
}

function isSame(one: HomeTitle, other: HomeTitle | undefined): boolean {
  return (
    one.online === other?.online &&
    one.activity?.sessions === other.activity?.sessions &&
    one.activity?.players === other.activity?.players
  );
}

function isClearlyIdle({ activity }: GameCells): boolean {
  return activity?.numbers !== undefined && isIdle(activity.numbers);
}

function missingFieldOf({ titleId }: GameCells): string {
  return titleId === undefined ? 'readable title ID' : `readable number of users online (${titleId})`;
}
