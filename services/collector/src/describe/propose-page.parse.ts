import { UnparseablePageError } from '../network/page-failures.ts';
import { listOf, sourcesFile, type HtmlSource, type SourcesFile, type Texts } from '../network/source-description.ts';
import { descriptionOf } from '../pages/built-in.ts';
import { readCounter } from '../pages/counters.parse.ts';
import { loadWholePage, type Page } from '../pages/page.parse.ts';
import { readPage } from '../pages/read-page.parse.ts';
import { tablesOf, type Table } from '../pages/tables.parse.ts';
import { isOneOf, matchFormat, normalize, readCount, readTime } from '../pages/values.ts';
import { COLUMNS, FORMATS, LABELS, NOT_OPEN, NOTHING, NOW, PAST, RATINGS, ZERO } from './hints.ts';
import { MAX_SHOWN, mergeDescriptions, shorten, type Proposal } from './proposal.ts';

const TABLE_OF = { homepage: 'games', titles: 'matches', leaderboards: 'entries' } as const;
const REQUIRED = { homepage: 'title titleId online', titles: 'host players', leaderboards: 'rank name' } as const;
type Spellings = Record<string, Texts | null | undefined>;
/** A description, whatever its source. */
type AnyDescription = Partial<
  Record<'formats' | keyof typeof LABELS, Spellings> &
    Record<(typeof TABLE_OF)[HtmlSource], { columns?: Spellings; section?: Texts }>
>;
const MAX_REPAIRS = 10;
const SAMPLE_ROWS = 3;

/** Why a page is refused, and whether it is read. A game page without its matches is not: a slot would have no lobby count. */
function tryPage(source: HtmlSource, html: string, file: SourcesFile) {
  try {
    const reading = readPage(source, html, descriptionOf(source, file));
    return { isRead: !('matches' in reading) || reading.matches !== null, reason: '', lines: [] };
  } catch (error) {
    if (!(error instanceof UnparseablePageError)) throw error;
    return { isRead: false, reason: error.reason, lines: error.lines };
  }
}

/** What a page most likely is, by its tables. */
export function guessSource(html: string, file: SourcesFile): HtmlSource {
  const page = loadWholePage(html, descriptionOf('homepage', file));
  const scoreOf = (source: HtmlSource) => guessTables(source, page)[0]?.score ?? 0;
  const sources = ['leaderboards', 'titles', 'homepage'] as const;
  const best = sources.reduce((one, other) => (scoreOf(other) > scoreOf(one) ? other : one));
  const isEmpty = page.text.lines.some((line) => NOTHING.test(line));
  return scoreOf(best) > 0 ? best : isEmpty ? 'titles' : 'homepage';
}

/**
 * Proposes what a file must say for a page to be read, beyond what it says and what is built in.
 *
 * @throws UnparseablePageError for a page that is truncated or exceeds the parser's bounds
 */
export function proposePage(source: HtmlSource, html: string, base: SourcesFile): Proposal {
  const page = loadWholePage(html, descriptionOf(source, base));
  const description = descriptionOf(source, base) as AnyDescription;
  const decisions: string[] = [];
  const parts: Record<string, object> = {
    ...(source === 'homepage' && { counters: labelsOf('counters', description, page, decisions) }),
    ...(source === 'titles' && { metadata: labelsOf('metadata', description, page, decisions) }),
  };
  const [guess, ...others] = guessTables(source, page);
  const notice = page.text.lines.find((line) => NOTHING.test(line));
  const isRead = tryPage(source, html, base).isRead;
  if (!isRead && guess !== undefined) Object.assign(parts, guessedParts(source, guess, others, description, decisions));
  else if (!isRead && source === 'titles' && notice !== undefined) {
    parts['matches'] = { none: notice };
    decisions.push(`whether "${notice}" says that there are no open matches`);
  } else if (!isRead) decisions.push(`where the ${TABLE_OF[source]} are: no table has such headings`);
  const given = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  const file = given.length === 0 ? {} : sourcesFile.parse({ [source]: { page: Object.fromEntries(given) } });
  return repaired(source, html, base, { file, decisions });
}

/** Adds lines that the reader names. */
function repaired(source: HtmlSource, html: string, base: SourcesFile, { file, decisions }: Proposal): Proposal {
  const seen = new Set<string>();
  for (let count = 0; count < MAX_REPAIRS; count += 1) {
    const { isRead, reason, lines } = tryPage(source, html, mergeDescriptions(base, file));
    seen.add(reason);
    const tried = lines.filter(isHarmless).flatMap((line) => {
      const { data } = sourcesFile.safeParse(mergeDescriptions(file, JSON.parse(`{${line}}`) as SourcesFile));
      const then = data && tryPage(source, html, mergeDescriptions(base, data));
      return then && (then.isRead || !seen.has(then.reason)) ? [{ line, data, ...then }] : [];
    });
    const better = tried.find((each) => each.isRead) ?? tried[0];
    if (isRead || better === undefined) break;
    decisions.push(
      `whether ${better.line} is right, since ${reason.replace(/\. Line for NETWORK_SOURCES_FILE.*$/s, '')}`,
    );
    file = better.data;
  }
  return { file, decisions };
}

/** A person says what is left out, and what the reader has a name in capitals for. */
function isHarmless(line: string): boolean {
  const [, none] = /"none": \[?"([^"]*)"/.exec(line) ?? [];
  if (none !== undefined) return NOTHING.test(none);
  return !/"[A-Z][A-Z ]{4,}"|"pages": "none"|"startsAt"|"ignoreRows"|"none": \[\]|"games": null/.test(line);
}

interface Guess {
  table: Table;
  /** Columns by field. */
  columns: Record<string, number>;
  score: number;
}

/** The tables that may be the one of a source, the likeliest first. */
function guessTables(source: HtmlSource, page: Page): Guess[] {
  const guesses = tablesOf(page).flatMap((table) => guessColumns(source, table) ?? []);
  return guesses.sort((one, other) => other.score - one.score);
}

function valuesOf({ rows }: Table, column: number): string[] {
  const data = rows.filter((row) => row.length > 1);
  return data.map((row) => row.flatMap(({ text, span }) => Array<string>(span).fill(text))[column] ?? '');
}

type Fits = (values: readonly string[]) => boolean;
const areCounts: Fits = (values) =>
  values.every((text) => readCount(text) !== undefined || ZERO.test(text)) && !values.every((text) => ZERO.test(text));
const areTexts: Fits = (values) => values.some((text) => /\p{L}/u.test(text));

/** What the values of a column look like; those of others are texts. */
const FITS: Readonly<Record<string, Fits>> = {
  titleId: (values) => values.some((text) => /\b[0-9a-f]{8}\b/i.test(text)),
  online: areCounts,
  activity: (values) => values.some((text) => /\d+\D+\d+/.test(text)) || values.every((text) => ZERO.test(text)),
  players: (values) => values.every((text) => /^\D{0,9}\d+\D{0,9}(?:\d+\D{0,9})?$/.test(text)),
  maxPlayers: areCounts,
  rank: (values) => values.some((text) => /^\D{0,6}\d+\D{0,6}$/.test(text)),
};

function guessColumns(source: HtmlSource, table: Table): Guess | undefined {
  const headings = table.headings.map(normalize);
  const values = [...(headings.length > 0 ? headings : (table.rows[0] ?? []))].map((_, column) =>
    valuesOf(table, column),
  );
  if (values.length < 2 || (source === 'titles' && headings.some((heading) => NOT_OPEN.test(heading))))
    return undefined;
  const { [TABLE_OF[source]]: { columns: spellings = {} } = {} } = descriptionOf(source) as AnyDescription;
  const section = normalize(table.section);
  const past = source !== 'leaderboards' && PAST.test(section) ? 8 : 0;
  const guess: Guess = { table, columns: {}, score: (NOW.test(section) ? 3 : 0) - past };
  const required = REQUIRED[source].split(' ');
  for (const [field, hints] of Object.entries(COLUMNS[source])) {
    const isFitting = FITS[field] ?? areTexts;
    const rated = values.map((column, index) => {
      const heading = headings[index] ?? '';
      const hint = hints.findIndex((pattern) => pattern.test(heading));
      const points = heading === '' ? 1 : isOneOf(heading, spellings[field]) ? 5 : hint === -1 ? 0 : 4 - hint;
      return { field, index, points: column.length === 0 || isFitting(column) ? points : 0 };
    });
    const points = choose(guess, rated);
    guess.score += points + (points > 0 && required.includes(field) ? 10 : 0);
  }
  if (source === 'leaderboards' && guessRating(guess, values) === 0) return undefined;
  return required.every((field) => guess.columns[field] !== undefined) ? guess : undefined;
}

/** Takes the likeliest column of a field. Returns its points. */
function choose({ columns }: Guess, rated: readonly { field: string; index: number; points: number }[]): number {
  const free = rated.filter(({ index, points }) => points > 0 && !Object.values(columns).includes(index));
  const [best] = free.sort((one, other) => other.points - one.points);
  if (best === undefined) return 0;
  columns[best.field] = best.index;
  return best.points;
}

/** Scores fall from rank to rank, times rise. Returns the points of the column that was chosen. */
function guessRating(guess: Guess, values: readonly string[][]): number {
  const all = [...listOf(descriptionOf('leaderboards').formats?.time), ...FORMATS.time];
  const rated = values.map((column, index) => {
    const heading = normalize(guess.table.headings[index] ?? '');
    const [isTimed, isScored] = [RATINGS.time.test(heading), RATINGS.score.test(heading)];
    const times = column.map((text) => readTime(text, all) ?? NaN);
    if (isTimed && isSorted(times, 1)) return { index, field: 'time', points: 4 };
    const falls = isSorted(
      column.map((text) => readCount(text) ?? NaN),
      -1,
    );
    return { index, field: 'score', points: (isScored ? 3 : isTimed ? 1 : 0) + (falls ? 1.5 : 0) };
  });
  return choose(guess, rated);
}

function isSorted(values: readonly number[], sign: number): boolean {
  return values.every((value, index) => (index === 0 ? value >= 0 : sign * (value - (values[index - 1] ?? 0)) >= 0));
}

/** The formats that the values have; undefined when one has none of them. */
function formatsOf(field: string, values: readonly string[], all: readonly string[]): string[] | undefined {
  const read = field === 'time' ? readTime : matchFormat;
  const found = values.map((value) => all.find((format) => read(value, [format]) !== undefined));
  return found.length === 0 || found.includes(undefined) ? undefined : [...new Set(found as string[])];
}

/** What a description must say of the guessed table beyond what it says. */
function guessedParts(
  source: HtmlSource,
  guess: Guess,
  others: readonly Guess[],
  of: AnyDescription,
  decisions: string[],
) {
  const { formats = {}, [TABLE_OF[source]]: known = {} } = of;
  // The best of a leaderboard may stand in a table of their own.
  const firstRank = ({ table, columns }: Guess) => valuesOf(table, columns['rank'] ?? -1)[0] ?? '';
  const rest = others.find((each) => /[2-9]|\d{2}/.test(firstRank(each)));
  const { table, columns } = rest ?? guess;
  const named = Object.entries(known.columns ?? {}).flatMap(([field, spellings]): [string, string | null][] => {
    const spelled = table.headings.filter((heading) => isOneOf(heading, spellings));
    const heading = columns[field] === undefined ? null : (table.headings[columns[field]] ?? null);
    if (heading === null ? spelled.length === 0 : spelled.length === 1 && spelled[0] === heading) return [];
    decisions.push(`whether ${heading === null ? 'no column' : `the column "${heading}"`} is "${field}"`);
    return [[field, heading]];
  });
  const order = Array.from({ length: Math.max(...Object.values(columns)) + 1 }, (_, index) => {
    return Object.keys(columns).find((field) => columns[field] === index) ?? '';
  });
  if (table.headings.length === 0) decisions.push(`whether the columns are "${order.join('", "')}"`);
  const isTold = others.length === 0 && (known.section === undefined || isOneOf(table.section, known.section));
  if (!isTold) decisions.push(`whether the ${TABLE_OF[source]} are below the heading "${table.section}"`);
  if (rest !== undefined) decisions.push(`whether the first of them are below the heading "${guess.table.section}"`);
  const written = Object.entries(FORMATS).flatMap(([field, more]) => {
    const [column, built] = [columns[field], listOf(formats[field])];
    const isIdle = (text: string) => ZERO.test(text) || isOneOf(text, formats['idle']);
    const values = column === undefined ? [] : valuesOf(table, column).filter((text) => !isIdle(text));
    const found = formatsOf(field, values, [...built, ...more]);
    if (found === undefined || found.every((format) => built.includes(format))) return [];
    decisions.push(`whether the ${field} "${values[0] ?? ''}" is written ${found.join(' or ')}`);
    return [[field, found] as const];
  });
  const described = {
    ...(!isTold && { section: table.section }),
    ...(rest !== undefined && { podium: { section: guess.table.section } }),
    ...(table.headings.length === 0 ? { order } : named.length > 0 && { columns: Object.fromEntries(named) as object }),
  };
  return { formats: Object.fromEntries(written), [TABLE_OF[source]]: described };
}

/** Labels that are not described yet. */
function labelsOf(part: keyof typeof LABELS, description: AnyDescription, page: Page, decisions: string[]): Spellings {
  const described = description[part] ?? {};
  const labels = page.text.runs
    .map(({ text }) => LABEL.exec(text.slice(0, 80))?.[1] ?? '')
    .filter((label) => part === 'metadata' || typeof readCounter(page, label) === 'number');
  const found: Record<string, string> = {};
  for (const [name, hints] of Object.entries(LABELS[part])) {
    const taken = [...Object.values(found), ...Object.values(described).flatMap((texts) => listOf(texts))];
    const free = labels.filter((label) => !isOneOf(label, taken));
    const fitting = hints.flatMap((hint) => free.filter((label) => hint.test(normalize(label))));
    if (fitting[0] === undefined || labels.some((label) => isOneOf(label, described[name]))) continue;
    found[name] = fitting[0];
    decisions.push(`whether "${fitting[0]}" is the label of "${name}"`);
  }
  return found;
}

/** A text without the number before or after it. */
const LABEL = /^(?:[\d.,'’\s]+\s)?(\p{L}[^:]*?)(?:\s*:.*|\s+[\d.,'’\s]+)?$/u;

/** The tables of a page, with their headings and first rows. */
export function showTables(html: string, file: SourcesFile): string[] {
  const tables = tablesOf(loadWholePage(html, descriptionOf('homepage', file)));
  const lines = tables.flatMap(({ section, headings, rows }, index) => [
    `Table ${index + 1}${section === '' ? '' : ` below "${shorten(section)}"`}, ${rows.length} rows:`,
    ...[headings, ...rows.slice(0, SAMPLE_ROWS).map((row) => row.map(({ text }) => text))]
      .filter((line) => line.length > 0)
      .map((line) => `  ${line.map(shorten).join(' | ')}`),
  ]);
  return lines.length === 0 ? ['It has no tables.'] : lines.slice(0, MAX_SHOWN);
}
