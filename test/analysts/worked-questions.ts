/** The buckets as the document names them. */
export type BucketKind = 'snapshots' | 'daily';

/** A result as the document prints it: a table for each statement, of the head and the rows. */
export type Tables = readonly (readonly (readonly string[])[])[];

/** A query of the document with what it says that comes of it. */
export interface WorkedQuestion {
  /** The heading above it. */
  heading: string;
  language: 'influxql' | 'flux';
  query: string;
  /** The bucket that an InfluxQL query names in its first line, which is a comment. */
  bucket: BucketKind;
  printed: Tables;
}

/** A query in a fence, and the tables that follow it. */
const WORKED = /^```(influxql|flux)\n([\s\S]*?)\n```\n((?:\n(?:\|.*\n)+)*)/gm;
const HEADING = /^#{2,4} (.*)$/gm;
const BUCKET = /^-- (snapshots|daily)\n/;
const RULE = /^\|[ |:-]+\|$/;

/** @throws Error when an InfluxQL query doesn't say which bucket it is of */
export function workedQuestions(document: string): WorkedQuestion[] {
  return [...document.matchAll(WORKED)].map(({ 1: language, 2: query = '', 3: printed = '', index }) => {
    const heading = [...document.slice(0, index).matchAll(HEADING)].at(-1)?.[1] ?? '';
    const bucket = BUCKET.exec(query)?.[1] ?? (language === 'flux' ? 'snapshots' : '');
    if (bucket !== 'snapshots' && bucket !== 'daily') throw new Error(`which bucket is this of?\n${query}`);
    return { heading, language: language === 'flux' ? 'flux' : 'influxql', query, bucket, printed: tablesIn(printed) };
  });
}

/** The document with other results. @param tables of each query, in the document's order */
export function withResults(document: string, tables: readonly Tables[]): string {
  const left = [...tables];
  return document.replace(WORKED, (_, language: string, query: string) => {
    const printed = (left.shift() ?? []).map((table) => `\n${printTable(table)}`).join('');
    return `\`\`\`${language}\n${query}\n\`\`\`\n${printed}`;
  });
}

/** The tables of a text, without the rules under their heads. */
export function tablesIn(text: string): Tables {
  return text
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|') && !RULE.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(cellsOf));
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => unescaped(cell.trim()));
}

function printTable([head = [], ...rows]: Tables[number]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |\n`;
  return [line(head), `|${' --- |'.repeat(head.length)}\n`, ...rows.map(line)].join('');
}

/** What Markdown would take for its own: an underscore inside a word is none. */
function escaped(cell: string): string {
  return cell.replace(/[\\|*`<]|\b_|_\b/g, '\\$&');
}

function unescaped(cell: string): string {
  return cell.replace(/\\([\\|_*`<])/g, '$1');
}
