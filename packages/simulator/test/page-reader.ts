/** Homepage parsed with regular expressions, independent of the renderer. */
export interface ParsedHomepage {
  registered: number;
  supported: number;
  online: number;
  games: { titleId: string; name: string; publisher: string; online: number; activity: string; icon: string }[];
}

/** Parsed game page. */
export interface ParsedGamePage {
  matches: { host: string; players: number; maxPlayers: number | null }[];
  details: Record<string, string>;
  boards: { id: string; name: string }[];
}

export function parseHomepage(html: string): ParsedHomepage {
  const page = visible(html);
  return {
    registered: counter(page, 'Registered Users'),
    supported: counter(page, 'Games Supported'),
    online: counter(page, 'Users Online Now'),
    games: rows(page)
      .filter((cells) => cells.length === 5 && cells[0]!.includes('<img'))
      .map(([image, title, ids, online, activity]) => ({
        titleId: /\b[0-9a-f]{8}\b/i.exec(text(ids!))![0].toLowerCase(),
        name: text(/<a[^>]*>([^]*?)<\/a>/.exec(title!)![1]!),
        publisher: text(/<span[^>]*>([^]*?)<\/span>/.exec(title!)?.[1] ?? ''),
        online: number(text(online!)),
        activity: text(activity!),
        icon: /src=["']([^"']*)["']/.exec(image!)![1]!,
      })),
  };
}

export function parseGamePage(html: string): ParsedGamePage {
  const page = visible(html);
  const table = /<table[^>]*table-striped[^>]*>([^]*?)<\/table>/.exec(page)![1]!;
  const menu = /<select[^>]*leaderboard-select[^>]*>([^]*?)<\/select>/.exec(page)![1]!;
  return {
    matches: rows(table)
      .filter((cells) => cells.length === 2)
      .map(([host, filling]) => {
        const [players, most] = text(filling!).split('/');
        return { host: text(host!), players: number(players!), maxPlayers: most === undefined ? null : number(most) };
      }),
    details: Object.fromEntries(
      [...page.matchAll(/<strong[^>]*>([^<]*):<\/strong>([^<]*)/g)].map(([, label, value]) => [label, text(value!)]),
    ),
    boards: [...menu.matchAll(/<option[^>]*value=["']?(\d+)["']?[^>]*>([^<]*)/g)].map(([, id, name]) => ({
      id: id!,
      name: text(name!),
    })),
  };
}

/** `N in M sessions` as numbers; every form of an inactive title as zeros. */
export function parseActivity(cell: string): { players: number; sessions: number } {
  if (['', '-', '0', '0 sessions'].includes(cell)) return { players: 0, sessions: 0 };
  const [, players, sessions] = /^([\d,]+) in ([\d,]+) sessions$/.exec(cell)!;
  return { players: number(players!), sessions: number(sessions!) };
}

export function visible(html: string): string {
  return html.replace(/<!--[^]*?-->/g, '').replace(/<(script|style)[^]*?<\/\1>/g, '');
}

function counter(page: string, label: string): number {
  const found = new RegExp(String.raw`<h3[^>]*>\s*([\d,]+)\s*</h3>\s*<p[^>]*>\s*${label}`).exec(page);
  return number(found![1]!);
}

function rows(html: string): string[][] {
  return [...html.matchAll(/<tr[^>]*>([^]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell]) => cell!),
  );
}

export function text(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot));/g, (_, decimal, hexadecimal, name: string) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal as string, 16));
      return { amp: '&', lt: '<', gt: '>', quot: '"' }[name]!;
    })
    .trim();
}

export function number(digits: string): number {
  if (!/^\d{1,3}(,\d{3})*$|^\d+$/.test(digits)) throw new Error(`not a number: ${digits}`);
  return Number(digits.replaceAll(',', ''));
}
