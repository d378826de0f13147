/** Bucket names in the document. */
export type BucketKind = 'snapshots' | 'daily';

/** A printed result: one table per statement, with its head and rows. */
export type Tables = readonly (readonly (readonly string[])[])[];

/** An example query of the document with its printed result. */
export interface ExampleQuery {
  /** The heading above it. */
  heading: string;
  language: 'influxql' | 'flux';
  query: string;
  /** The bucket that an InfluxQL query names in its first line, which is a comment. */
  bucket: BucketKind;
  printedTables: Tables;
}

/** A query in a fence, and the tables that follow it. */
const EXAMPLE_QUERY = /^```(influxql|flux)\n([\s\S]*?)\n```\n((?:\n(?:\|.*\n)+)*)/gm;
const HEADING = /^#{2,4} (.*)$/gm;
const BUCKET = /^-- (snapshots|daily)\n/;
const RULE = /^\|[ |:-]+\|$/;

/** @throws Error when an InfluxQL query does not name its bucket */
export function parseExampleQueries(document: string): ExampleQuery[] {
  return [...document.matchAll(EXAMPLE_QUERY)].map(({ 1: language, 2: query = '', 3: printed = '', index }) => {
    const heading = [...document.slice(0, index).matchAll(HEADING)].at(-1)?.[1] ?? '';
    const bucket = BUCKET.exec(query)?.[1] ?? (language === 'flux' ? 'snapshots' : '');
    if (bucket !== 'snapshots' && bucket !== 'daily') throw new Error(`no bucket is named in this query:\n${query}`);
    return {
      heading,
      language: language === 'flux' ? 'flux' : 'influxql',
      query,
      bucket,
      printedTables: parseTables(printed),
    };
  });
}

/** The document with new results. @param tables results in document order */
export function withResults(document: string, tables: readonly Tables[]): string {
  const left = [...tables];
  return document.replace(EXAMPLE_QUERY, (_, language: string, query: string) => {
    const printed = (left.shift() ?? []).map((table) => `\n${printTable(table)}`).join('');
    return `\`\`\`${language}\n${query}\n\`\`\`\n${printed}`;
  });
}

/** The tables of a text, without the rules under their heads. */
export function parseTables(text: string): Tables {
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

/** Escapes Markdown; an underscore inside a word needs no escape. */
function escaped(cell: string): string {
  return cell.replace(/[\\|*`<]|\b_|_\b/g, '\\$&');
}

function unescaped(cell: string): string {
  return cell.replace(/\\([\\|_*`<])/g, '$1');
}
