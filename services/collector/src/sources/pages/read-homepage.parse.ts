import type { Activity, HomepageReading, HomeTitle } from '../../network/network.ts';
import type { HomepageDescription } from '../descriptions/source-description.ts';
import { readCounter } from './labels.parse.ts';
import { hasMorePages } from './more-pages.parse.ts';
import { loadWholePage, type Page, type PageContext } from './page.parse.ts';
import { iconOf } from './pictures.parse.ts';
import { lineOf, quote, refuse } from './refusal.ts';
import { findTable, type FoundTable } from './find-table.parse.ts';
import { expectLine, expectValue, valueIn } from './expect-value.parse.ts';
import type { Cell, Row } from './tables.parse.ts';
import { isCut, isOneOf, readActivity, readCount } from './values.ts';

/** A title ID, alone or beside its product code (`MS-074 4d530064`), or beside a sign that there is none. */
const TITLE_ID =
  /^(?:(?:([a-z0-9]{2,4}-\d{1,5})|n\/a|none)\W*)?(?:0x)?([0-9a-f]{8})(?:\W*(?:([a-z0-9]{2,4}-\d{1,5})|n\/a|none))?\W*$/i;
const MIN_READ_SHARE = 0.9;
const MAX_NAME_LENGTH = 1000;
type Field = 'title' | 'titleId' | 'publisher' | 'online' | 'activity';

/**
 * Reads the counters and the table of games.
 *
 * @throws UnparseablePageError also for a page with fewer users online than one of its games has, or more than a tenth of its games missing
 */
export function readHomepage(
  html: string,
  description: HomepageDescription,
  { baseUrl = '' }: PageContext,
): HomepageReading {
  const page = loadWholePage(html, description);
  const online = counterOf('online');
  if (typeof online !== 'number') {
    const [label = ''] = [description.counters?.online ?? ''].flat();
    return refuse(
      `the counter "${label}" is ${online}`,
      ...(online === 'absent' ? [lineOf(['homepage', 'counters', 'online'], 'LABEL OF THE COUNTER')] : []),
    );
  }
  const found = gamesTable(page, description);
  const more = hasMorePages(page, found.table, {
    paging: description.pages,
    path: ['homepage'],
    rows: found.rows.length,
  });
  if (more !== false) refuse('its games are on several pages: only those of one page can be read');
  const titles = readTitles(page, found, description, baseUrl);
  const [registered, supported] = [counterOf('registered'), counterOf('games')];
  if (typeof supported === 'number' && titles.length < supported * MIN_READ_SHARE) {
    refuse(`it has ${titles.length} of ${supported} games`, lineOf(['homepage', 'counters', 'games'], null));
  }
  const fullest = titles.reduce((most, title) => Math.max(most, title.online), 0);
  if (online < fullest) refuse(`its counter of users online is ${online}, but a game has ${fullest} users`);
  // Scripts count counters up from 0: such a page says nothing about them.
  const isRegistered = typeof registered === 'number' && registered >= online;
  return { registered: isRegistered ? registered : null, online, titles };

  function counterOf(name: 'online' | 'registered' | 'games') {
    return readCounter(page, description.counters?.[name]);
  }
}

function gamesTable(page: Page, description: HomepageDescription): FoundTable<Field> {
  const found = findTable<Field>(page, {
    description: description.games ?? {},
    path: ['homepage', 'games'],
    name: 'table of games',
    isRequired: true,
    required: [['title'], ['titleId'], ['online']],
    isData: (row, { titleId = -1 }) => idsOf(row[titleId]) !== undefined,
  });
  return found === undefined || (found.rows.length === 0 && !found.isEmpty)
    ? refuse('it has no table of games')
    : found;
}

function readTitles(
  page: Page,
  { rows, columns, table }: FoundTable<Field>,
  description: HomepageDescription,
  baseUrl: string,
): HomeTitle[] {
  const titles = new Map<string, HomeTitle>();
  for (const row of rows) {
    const ids = idsOf(cellOf('titleId', row));
    if (ids === undefined)
      refuse(`a row of its table of games has no readable title ID: ${quote(row.map((cell) => cell?.text ?? ''))}`);
    const title = {
      ...ids,
      ...readNames(row),
      ...readNumbers(row, ids.titleId),
      image: iconOf(
        row.filter((cell) => cell !== undefined),
        baseUrl,
      ),
    };
    const known = titles.get(title.titleId);
    if (known === undefined) titles.set(title.titleId, title);
    else if (JSON.stringify([known.online, known.activity]) !== JSON.stringify([title.online, title.activity])) {
      refuse(`it has two rows for ${title.titleId} that differ`);
    }
  }
  return [...titles.values()];

  function cellOf(field: Field, row: Row): Cell | undefined {
    return row[columns[field] ?? -1];
  }

  function readNames(row: Row): Pick<HomeTitle, 'name' | 'publisher'> {
    const [cell, publisher] = [cellOf('title', row), cellOf('publisher', row)];
    const lines = cell === undefined ? [] : page.text.linesOf(cell.element);
    const name = expectLine(page, lines.slice(0, 1), 'title of a game');
    if (lines.length > 2)
      refuse(`a title of a game has ${lines.length} lines: "${cell?.text ?? ''}"`, '"hidden": ["SELECTOR"]');
    const below = publisher === undefined ? lines.slice(1) : page.text.linesOf(publisher.element);
    const made = expectLine(page, below, 'publisher of a game');
    return {
      name: name.length > MAX_NAME_LENGTH || isCut(name) ? '' : name,
      publisher: isCut(made) ? '' : made,
    };
  }

  function readNumbers(row: Row, titleId: string): Pick<HomeTitle, 'online' | 'activity'> {
    const [cell, other] = [cellOf('online', row), cellOf('activity', row)];
    const text = expectValue(page, cell, 'number of users online');
    const online = text !== '' && isOneOf(text, description.formats?.zero) ? 0 : readCount(text);
    if (online === undefined) {
      return refuse(
        `the users online of ${titleId} are "${text}", which is no number`,
        ...(/\p{N}/u.test(text) || text === '' ? [] : [lineOf(['homepage', 'formats', 'zero'], text)]),
      );
    }
    const shown = other && valueIn(page, other.element);
    const activity = shown === undefined ? null : readActivity(shown, description.formats ?? {});
    if (activity === null && table.headings.length === 0 && columns.activity !== undefined) {
      refuse(
        `the table of games has no headings, and "${other?.text ?? ''}" in its column ${columns.activity + 1} is no activity`,
      );
    }
    return { online, activity: isPossible(activity, online) ? activity : null };
  }
}

/** An activity that contradicts the users online of its row is unknown. */
function isPossible(activity: Activity | null, online: number): boolean {
  return activity !== null && activity.sessions <= activity.players && activity.players <= online;
}

function idsOf(cell: Cell | undefined): Pick<HomeTitle, 'titleId' | 'productCode'> | undefined {
  const [, before, titleId, after] = TITLE_ID.exec(cell?.text ?? '') ?? [];
  return titleId === undefined
    ? undefined
    : { titleId: titleId.toLowerCase(), productCode: (before ?? after ?? '').toUpperCase() };
}
