import { UnparseablePageError } from '../network/page-failures.ts';
import {
  listOf,
  sourcesFile,
  type HtmlSource,
  type SourcesFile,
  type Texts,
} from '../sources/descriptions/source-description.ts';
import { descriptionOf } from '../sources/descriptions/built-in.ts';
import { readCounter } from '../sources/pages/labels.parse.ts';
import { loadWholePage, type Page } from '../sources/pages/page.parse.ts';
import { pageReaders } from '../sources/pages/read-page.parse.ts';
import { tablesOf, type Table } from '../sources/pages/tables.parse.ts';
import { isOneOf, normalize } from '../sources/pages/values.ts';
import { COLUMNS, FORMATS, LABELS, NOT_OPEN, NOTHING, PAST } from './hints.ts';
import { MAX_SHOWN, mergeDescriptions, shorten, type Proposal } from './proposal.ts';

const TABLE_OF = { homepage: 'games', titles: 'matches', leaderboards: 'entries' } as const;
const REQUIRED = { homepage: 'title titleId online', titles: 'host players', leaderboards: 'rank name' } as const;
/** Where labels are: the counters of a homepage, the metadata of a game. */
const LABELS_OF = { homepage: 'counters', titles: 'metadata', leaderboards: undefined } as const;
/** Readings of a page that are tried, at most. */
const MAX_TRIES = 60;
const SAMPLE_ROWS = 3;
type Spellings = Record<string, Texts | null | undefined>;

/**
 * Proposes what a file must say for a page to be read, beyond what it says and what is built in: the labels and headings that hints
 * name, and the lines that the reader names for what it refuses then.
 *
 * @throws UnparseablePageError for a page that is truncated or exceeds the parser's bounds
 */
export function proposePage(source: HtmlSource, html: string, base: SourcesFile): Proposal & { isRead: boolean } {
  const page = loadWholePage(html, descriptionOf(source, base));
  const labels = labelsOf(source, page, base);
  let tries = MAX_TRIES;
  const guesses = [{ file: {}, decisions: [] }, ...guessTables(source, page, base)].map((guess) => join(labels, guess));
  for (const guess of guesses) {
    const found = readable(guess);
    if (found !== undefined) return { ...found, isRead: true };
  }
  return { ...(guesses[1] ?? labels), isRead: false };

  /** The proposal with lines of the reader by which the page is read; undefined when none of them does it. */
  function readable(proposal: Proposal, refusal?: string): Proposal | undefined {
    tries -= 1;
    const { isRead, reason, lines } = tryPage(source, html, mergeDescriptions(base, proposal.file));
    if (isRead) return proposal;
    if (reason === refusal) return undefined;
    for (const line of lines.flatMap(filled)) {
      const file = sourcesFile.safeParse(mergeDescriptions(proposal.file, JSON.parse(`{${line}}`) as SourcesFile)).data;
      if (tries <= 0 || file === undefined) return undefined;
      const decision = `whether ${line} is right, since ${reason.replace(/\. Line for NETWORK_SOURCES_FILE.*$/s, '')}`;
      const found = readable({ file, decisions: [...proposal.decisions, decision] }, reason);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function join(one: Proposal, other: Proposal): Proposal {
  return { file: mergeDescriptions(one.file, other.file), decisions: [...one.decisions, ...other.decisions] };
}

/** Returns the kind that a page most likely is of. */
export function guessSource(html: string, base: SourcesFile): HtmlSource {
  const sources = ['homepage', 'leaderboards', 'titles'] as const;
  const page = loadWholePage(html, descriptionOf('homepage', base));
  const hasTable = (source: HtmlSource) => guessTables(source, page, base).length > 0;
  return sources.find((source) => proposePage(source, html, base).isRead) ?? sources.find(hasTable) ?? 'homepage';
}

/** Why a page is refused, and whether it is read. A game page without its matches is not: a slot would have no lobby count. */
function tryPage(source: HtmlSource, html: string, file: SourcesFile) {
  try {
    const reading = pageReaders[source](html, descriptionOf(source, file), {});
    const isRead = !('matches' in reading) || reading.matches !== null;
    const { text } = loadWholePage(html, descriptionOf(source, file));
    const notice = isRead ? undefined : text.lines.find((line) => NOTHING.test(line));
    const line = `"titles": { "page": { "matches": { "none": ${JSON.stringify(notice)} } } }`;
    return { isRead, reason: 'it shows no matches', lines: notice === undefined ? [] : [line] };
  } catch (error) {
    if (!(error instanceof UnparseablePageError)) throw error;
    return { isRead: false, reason: error.reason, lines: error.lines };
  }
}

/** The lines that a line of the reader may stand for. A person says what is left out, and what the reader has a name in capitals for. */
function filled(line: string): string[] {
  const [, field = ''] = /"(\w+)": "FORMAT"/.exec(line) ?? [];
  const formats = (FORMATS[field] ?? []).map((each) => line.replace('"FORMAT"', JSON.stringify([each])));
  return [line, ...formats].filter((each) => {
    const [, none] = /"none": "([^"]*)"/.exec(each) ?? [];
    const isLeftOut = /"pages"|"startsAt"|"ignoreRows"|"none": \[\]|"games": null|"entries": \{ "section"/.test(each);
    return !/"[A-Z][A-Z ]{4,}"/.test(each) && !isLeftOut && (none === undefined || NOTHING.test(none));
  });
}

/** Returns the descriptions of tables that have headings of all required fields, those of the present first. */
function guessTables(source: HtmlSource, page: Page, base: SourcesFile): Proposal[] {
  const { [TABLE_OF[source]]: known = {} } = descriptionOf(source, base) as Record<
    string,
    { columns?: Spellings; section?: Texts }
  >;
  const isPast = ({ section }: Table) => Number(source !== 'leaderboards' && PAST.test(normalize(section)));
  const tables = tablesOf(page).sort((one, other) => isPast(one) - isPast(other));
  return tables.flatMap((table) => {
    const headings = table.headings.map(normalize);
    if (source === 'titles' && headings.some((heading) => NOT_OPEN.test(heading))) return [];
    const columns = guessColumns(source, headings, known.columns ?? {});
    if (REQUIRED[source].split(' ').some((field) => columns[field] === undefined)) return [];
    const isTold = source === 'leaderboards' || known.section === undefined || isOneOf(table.section, known.section);
    const named = Object.entries(columns).flatMap(([field, index]) => {
      const heading = table.headings[index] ?? '';
      return isOneOf(heading, known.columns?.[field]) ? [] : [[field, heading] as const];
    });
    const described = {
      ...(!isTold && { section: table.section }),
      ...(named.length > 0 && { columns: Object.fromEntries(named) }),
    };
    return {
      file:
        Object.keys(described).length === 0
          ? {}
          : sourcesFile.parse({ [source]: { page: { [TABLE_OF[source]]: described } } }),
      decisions: [
        ...named.map(([field, heading]) => `whether the column "${heading}" is "${field}"`),
        ...(isTold ? [] : [`whether the ${TABLE_OF[source]} are below the heading "${table.section}"`]),
      ],
    };
  });
}

/** The likeliest column of each field: one whose heading is known, or the first that a hint fits. */
function guessColumns(source: HtmlSource, headings: readonly string[], known: Spellings): Record<string, number> {
  const columns: Record<string, number> = {};
  const take = (field: string, isFitting: (heading: string) => boolean) => {
    const index = headings.findIndex((each, at) => isFitting(each) && !Object.values(columns).includes(at));
    if (index !== -1) columns[field] ??= index;
  };
  for (const field of Object.keys(COLUMNS[source])) take(field, (heading) => isOneOf(heading, known[field]));
  for (const [field, hints] of Object.entries(COLUMNS[source])) {
    if (field === 'time' && columns['score'] !== undefined) continue;
    for (const hint of hints) take(field, (heading) => heading !== '' && hint.test(heading));
  }
  return columns;
}

/** The labels of a page that are not described yet. */
function labelsOf(source: HtmlSource, page: Page, base: SourcesFile): Proposal {
  const part = LABELS_OF[source];
  if (part === undefined) return { file: {}, decisions: [] };
  const { [part]: described = {} } = descriptionOf(source, base) as Record<string, Spellings>;
  const labels = page.text.runs
    .map(({ text }) => LABEL.exec(text.slice(0, 80))?.[1] ?? '')
    .filter((label) => part === 'metadata' || typeof readCounter(page, label) === 'number');
  const found: Record<string, string> = {};
  for (const [name, hints] of Object.entries(LABELS[part])) {
    const taken = [...Object.values(found), ...Object.values(described).flatMap((texts) => listOf(texts))];
    const free = labels.filter((label) => !isOneOf(label, taken));
    const fitting = hints.flatMap((hint) => free.filter((label) => hint.test(normalize(label))));
    if (fitting[0] !== undefined && !labels.some((label) => isOneOf(label, described[name]))) found[name] = fitting[0];
  }
  return {
    file: Object.keys(found).length === 0 ? {} : sourcesFile.parse({ [source]: { page: { [part]: found } } }),
    decisions: Object.entries(found).map(([name, label]) => `whether "${label}" is the label of "${name}"`),
  };
}

/** A text without the number before or after it. */
const LABEL = /^(?:[\d.,'’\s]+\s)?(\p{L}[^:]*?)(?:\s*:.*|\s+[\d.,'’\s]+)?$/u;

/** The tables of a page, with their headings and first rows. */
export function showTables(html: string, file: SourcesFile): string[] {
  const tables = tablesOf(loadWholePage(html, descriptionOf('homepage', file)));
  const lines = tables.flatMap(({ section, headings, rows }, index) => [
    `Table ${index + 1}${section === '' ? '' : ` below "${shorten(section)}"`}, ${rows.length} rows:`,
    ...[headings, ...rows.slice(0, SAMPLE_ROWS).map((row) => row.map((cell) => cell?.text ?? ''))]
      .filter((line) => line.length > 0)
      .map((line) => `  ${line.map(shorten).join(' | ')}`),
  ]);
  return lines.length === 0 ? ['It has no tables.'] : lines.slice(0, MAX_SHOWN);
}
