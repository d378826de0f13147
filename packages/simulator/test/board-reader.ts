import { number, text, visible } from './page-reader.ts';

/** Parsed leaderboard page, without ignored columns. */
export interface ParsedBoardPage {
  ratingHead: string;
  heads: string[];
  entries: { rank: number; name: string; rating: string }[];
  /** The address of the next page. */
  next: string | undefined;
}

const RATING_HEADS = ['Time', 'Lap', 'Best time', 'Score', 'Rating', 'Kudos', 'Points'];

export function parseBoardPage(html: string): ParsedBoardPage {
  const page = visible(html);
  const [table] = [...page.matchAll(/<table[^>]*class=["']([^"']*)["'][^>]*>([^]*?)<\/table>/g)].flatMap(
    ([, classes, content]) => (classes!.split(' ').includes('leaderboard') ? [content!] : []),
  );
  const [head, ...rows] = table!.split(/<tr[^>]*>/).slice(1);
  const heads = cells(head!, 'th');
  const ratingHead = RATING_HEADS.find((one) => heads.includes(one))!;
  const [rank, name, rating] = ['Rank', 'Name', ratingHead].map((one) => heads.indexOf(one)) as [
    number,
    number,
    number,
  ];
  const entries = rows.map((row) => {
    const values = cells(row, 'td');
    if (values.length !== heads.length) throw new Error(`a row of ${values.length} cells`);
    return { rank: number(values[rank]!), name: values[name]!, rating: values[rating]! };
  });
  const link = [...page.matchAll(/<a ([^>]*)>/g)].find(([, attributes]) =>
    /rel=["']?next["']?(\s|$)/.test(attributes!),
  );
  return { ratingHead, heads, entries, next: link && text(/href=["']([^"']*)/.exec(link[1]!)![1]!) };
}

/** All entries of a board from `path` on, and the number of pages. */
export async function readWholeBoard(
  get: (path: string) => Promise<string>,
  path: string,
): Promise<{ entries: ParsedBoardPage['entries']; pages: number; ratingHead: string }> {
  const entries: ParsedBoardPage['entries'] = [];
  let pages = 0;
  let ratingHead = '';
  for (let next: string | undefined = path; next !== undefined; pages += 1) {
    const page: ParsedBoardPage = parseBoardPage(await get(next));
    ({ next, ratingHead } = page);
    entries.push(...page.entries);
  }
  return { entries, pages, ratingHead };
}

function cells(row: string, tag: 'td' | 'th'): string[] {
  return row
    .split(new RegExp(`<${tag}(?:\\s[^>]*)?>`))
    .slice(1)
    .map((cell) => text(cell));
}
