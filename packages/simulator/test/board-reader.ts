import { number, text, visible } from './page-reader.ts';

/** What a page of a leaderboard says, columns that are to be ignored left out. */
export interface ReadBoardPage {
  ratingHead: string;
  heads: string[];
  entries: { rank: number; name: string; rating: string }[];
  /** The address of the next page. */
  next: string | undefined;
}

const RATING_HEADS = ['Time', 'Lap', 'Best time', 'Score', 'Rating', 'Kudos', 'Points'];

export function readBoardPage(html: string): ReadBoardPage {
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

/** All entries of a board, page after page from `path` on, and how many pages they were on. */
export async function readWholeBoard(
  get: (path: string) => Promise<string>,
  path: string,
): Promise<{ entries: ReadBoardPage['entries']; pages: number; ratingHead: string }> {
  const entries: ReadBoardPage['entries'] = [];
  let pages = 0;
  let ratingHead = '';
  for (let next: string | undefined = path; next !== undefined; pages += 1) {
    const page: ReadBoardPage = readBoardPage(await get(next));
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
