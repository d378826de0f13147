/** The markup of one site: how it shows what the classic pages show. `$N` is a number, `$T` a text, `$L` a label. */
interface Design {
  counter: string;
  title: string;
  text: string;
  number: string;
  headings: Readonly<Record<string, string>>;
  table: string;
}

const GAMES = { Title: 'Game', Serial: 'Code', Online: 'Online users', Activity: 'Active players' };
const MATCHES = { Host: 'Hosted by', Players: 'Player count' };
const BOARDS = { Rank: '#', Name: 'Gamertag' };

/** The markups of sites that other frameworks render, with what stands around values there. */
const DESIGNS: readonly Design[] = [
  {
    counter: '<div class="card text-center"><p class="card-title">$L</p><h3><span class="d-none">1</span>$N</h3></div>',
    title: '<strong>$T</strong> <span class="badge bg-success">NEW</span>',
    text: '<span class="d-none d-md-inline">$T</span><span class="d-md-none">…</span>',
    number: '<span class="badge rounded-pill">$N</span>',
    headings: { ...GAMES, ...MATCHES },
    table: 'table table-striped',
  },
  {
    counter: '<dl class="stat"><dt>$L</dt><dd>$N</dd></dl>',
    title: '<i class="material-icons">sports_esports</i> $T',
    text: '<i class="material-icons">person</i> $T',
    number: '<span class="hidden">000</span>$N',
    headings: BOARDS,
    table: 'min-w-full divide-y',
  },
  {
    counter: '<div class="level-item"><div><p class="heading">$L</p><p class="title">$N</p></div></div>',
    title:
      '<span class="icon"><i class="fas fa-gamepad"></i></span><span>$T</span> <span class="tag is-info">hot</span>',
    text: '$T <span class="tag is-light">PRO</span>',
    number: '<strong>$N</strong>',
    headings: { ...GAMES, ...BOARDS },
    table: 'table is-striped is-fullwidth',
  },
  {
    counter: '<div class="flex flex-col"><span class="text-3xl">$N</span><span class="text-gray-500">$L</span></div>',
    title: '<span class="sr-only">Game: </span>$T',
    text: '<div class="avatar">XY</div><span class="font-medium">$T</span>',
    number: '<span class="inline-flex rounded-full bg-green-50 px-2">$N</span>',
    headings: MATCHES,
    table: 'w-full text-left',
  },
  {
    counter: '<p class="counter"><b>$N</b> $L</p>',
    title: '<font color="navy">$T</font>',
    text: '<!-- $L --><font>$T</font><template>9</template>',
    number: '<!-- 9 --><tt>$N</tt><noscript>9</noscript>',
    headings: {},
    table: 'old',
  },
  {
    counter: '<ul class="list-group"><li>$L <span class="badge">$N</span></li></ul>',
    title: '<mat-icon>games</mat-icon><bdi>$T</bdi>',
    text: '<span hidden>9</span><bdi>$T</bdi> <button type="button">Add</button>',
    number: '<mat-icon>group</mat-icon> $N<span class="cdk-visually-hidden"> of 9</span>',
    headings: { ...GAMES, ...MATCHES, ...BOARDS },
    table: 'mat-table',
  },
];

export const DESIGN_COUNT = DESIGNS.length;

/** The page in the markup of a design, with the same values; 0 is the classic page. */
export function applyDesign(html: string, number: number): string {
  const design = DESIGNS[number - 1];
  if (design === undefined) return html;
  const { counter, title, text, number: count, headings, table } = design;
  const fill = (markup: string, values: Readonly<Record<string, string>>) =>
    markup.replace(/\$([NTL])/g, (_, name: string) => values[name] ?? '');
  return html
    .replace(/<td>([^<>]+)<\/td>/g, (_, T: string) => `<td>${fill(text, { T })}</td>`)
    .replace(
      /(<a href="\/games\/[0-9a-f]{8}">)([^<]+)(?=<\/a>)/g,
      (_, tag: string, T: string) => tag + fill(title, { T }),
    )
    .replace(/(<td class="text-right">)([\d,/]+)(?=\s*<)/g, (_, tag: string, N: string) => tag + fill(count, { N }))
    .replace(/<div class="col-md-4"><h3>([^<]*)<\/h3><p>([^<]*)<\/p><\/div>/g, (_, N: string, L: string) =>
      fill(counter, { N, L }),
    )
    .replace(
      /(<th(?: [^>]*)?>)([A-Z][a-z]+)(?=<\/th>)/g,
      (_, tag: string, word: string) => tag + (headings[word] ?? word),
    )
    .replace(/class="table(?: table-hover)? games"/, `class="${table}"`);
}
