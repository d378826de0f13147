import { page } from './page-builder.ts';
import {
  attempt,
  COUNTERS,
  GAMES,
  games,
  harbor,
  homepage,
  pier,
  readHomepage,
  refused,
  row,
  table,
  type Cells,
} from './read-pages.ts';

/** The games with the cells of each row changed. */
const changed = (headings: Cells, change: (cells: string[]) => Cells) => table(headings, [harbor, pier].map(change));

const HARBOR = { titleId: '4d530001', name: 'Harbor Six', online: 12 };
const PIER = { titleId: '4d530002', name: 'Old Pier', online: 0 };
const READ = { online: 481, titles: [HARBOR, PIER].map((title) => expect.objectContaining(title) as unknown) };
const read = (html: string, sources = {}) => attempt(() => readHomepage(html, sources));
/** A game of the homepage whose first row has these cells. */
const gameOf = (cells: Cells, headings: Cells = GAMES) =>
  readHomepage(homepage(table(headings, [cells, pier]))).titles[0];

describe('a homepage', () => {
  const dl =
    '<dl><dt>Games Supported</dt><dd>2</dd><dt>Registered Users</dt><dd>24,409</dd><dt>Users Online Now</dt><dd>481</dd></dl>';
  const p =
    '<div><p>Games Supported</p><h3>2</h3><p>Registered Users</p><h3>24,409</h3><p>Users Online Now</p><h3>481</h3></div>';
  const lines = '<p>24 409 Registered Users</p><p><b>481</b> Users Online Now</p><p>Games Supported: 2</p>';
  const total = row(['Total', '', '12', '4 in 1 session']);

  it.each([
    ['counters in boxes', homepage(games)],
    ['counters in a definition list', homepage(games, dl)],
    ['labels before numbers in one box', homepage(games, p)],
    ['counters on a line each', homepage(games, lines)],
    ['icons in labels', homepage(games, COUNTERS.replace('Users On', '<i class="material-icons">people</i> Users On'))],
    ['a table without headings', homepage(games.replace(/<thead>.*<\/thead>/, ''))],
    ['other columns', homepage(changed(['', 'Peak', ...GAMES], (cells) => ['<img>', '99', ...cells]))],
    ['columns in another order', homepage(changed(GAMES.toReversed(), (cells) => cells.toReversed()))],
    ['formatted names', homepage(games.replace('Harbor Six', 'Har<em>bor</em> Six'))],
    ['a row of totals', homepage(games.replace('</tbody>', `${total}</tbody>`))],
    ['a footer', homepage(games.replace('</tbody>', `</tbody><tfoot>${total}</tfoot>`))],
    ['repeated headings', homepage(games.replace('</tbody>', `${row(GAMES, 'th')}</tbody>`))],
    ['hidden rows', homepage(games.replace('</tbody>', '<tr hidden><td>Old<td>4d530009<td>9<td>-</tbody>'))],
    ['a table of the week', homepage(`${table(['Game', 'Title ID', 'Players'], [['Top', '4d530001', '9']])}${games}`)],
    ['two header rows', homepage(games.replace('<thead>', '<thead><tr><th rowspan=1>Game<th><th colspan=2>Now'))],
  ])('is read with %s', (_, html) => {
    expect(read(html)).toMatchObject({ registered: 24_409, ...READ });
  });

  it.each<[string, string, object, object?]>([
    [
      'an unknown label',
      homepage(games, COUNTERS.replace('Online Now', 'Here')),
      { counters: { online: 'Users Here' } },
    ],
    ['a dash for nobody', homepage(games.replace('<td>0', '<td>—')), { formats: { zero: '—' } }],
    [
      'a heading beside a total',
      homepage(changed(['Game', 'Serial', 'Players now', 'Players'], (cells) => [...cells.slice(0, 3), '440'])),
      { games: { columns: { online: 'Players now' } } },
    ],
    [
      'two headings',
      homepage(changed([...GAMES, 'Online'], (cells) => [...cells, '440'])),
      { games: { columns: { online: 'Online users' } } },
    ],
    ['another section', page(`${COUNTERS}<h2>Rooms</h2>${games}`), { games: { section: 'Rooms' } }],
    [
      'a sentence as counter',
      homepage(games, '<p>There are <b>481</b> users here.</p>'),
      { counters: { online: 'There are {n} users here' } },
    ],
    [
      'two tables',
      page(`${COUNTERS}<h2>Yesterday</h2>${games.replace('>12<', '>40<')}<h2>Now</h2>${games}`),
      { games: { section: 'Now' } },
    ],
    [
      'a row of another kind',
      homepage(games.replace('</tbody>', '<tr><td colspan="4">Classics</td></tr></tbody>')),
      { games: { ignoreRows: ['Total', 'Classics'] } },
    ],
    ['fewer games than the counter', homepage(games, COUNTERS.replace('>2<', '>57<')), { counters: { games: null } }],
    [
      'no headings and another order',
      homepage(changed([], ([name = '', ...others]) => [...others, name])),
      { games: { order: ['titleId', 'online', 'activity', 'title'] } },
    ],
    [
      'a change beside a counter',
      homepage(games, COUNTERS.replace('481', '481 <i class="up">+12</i>')),
      {},
      { hidden: '.up' },
    ],
    ['a badge beside a name', homepage(games.replace('<a>', '<b class="badge">NEW</b> <a>')), {}, { hidden: '.badge' }],
    ['a link beside a name', homepage(games.replace('</a>', '</a> <a>More</a>')), {}, { hidden: 'a + a' }],
    ['a link within a name', homepage(games.replace('Harbor Six</a>', 'Harbor</a> <a>Six</a>')), {}, { keep: 'a' }],
    ['a struck number', homepage(games.replace('>12<', '><s>40</s> 12<')), {}, { hidden: 's' }],
  ])('is refused with %s, and read as described', (_, html, described, all = {}) => {
    expect(read(html)).toEqual(refused(/./));
    expect(read(html, { homepage: { page: described }, ...all })).toMatchObject(READ);
  });

  it.each<[string, string, RegExp]>([
    ['no counter of users online', homepage(games, '<p>Hello</p>'), /"Users Online Now" is absent/],
    ['a counter in short', homepage(games, COUNTERS.replace('481', '4.6k')), /unreadable/],
    ['two counters that differ', homepage(`${games}<div><h3>7</h3><p>Users Online Now</p></div>`), /unreadable/],
    ['a counter of two elements', homepage(games, COUNTERS.replace('481', '481<sup>1</sup>')), /unreadable/],
    ['a game with more users than the site', homepage(games.replace('>12<', '>482<')), /a game has 482/],
    ['a counter that counts up by script', homepage(games, COUNTERS.replace('481', '0')), /a game has 12/],
    ['unknown headings', homepage(games.replace('Online users', 'Peak')), /"online" among "Game"/],
    ['no table of games', homepage(''), /no table of games/],
    ['a table that is not closed', homepage(games.replace('</table>', '')), /ends before|not closed/],
    ['its end missing', homepage(games).replace('</html>', '<img alt="</html>">'), /ends before/],
    ['two rows of one title', homepage(games.replace('4d530002', '4D530001')), /two rows for 4d530001/],
    ['no title ID', homepage(games.replace('4D530001', '4D53')), /no readable title ID/],
    ['no number of users', homepage(games.replace('>12<', '>many<')), /"many", which is no number/],
    ['a unit beside a number', homepage(games.replace('>12<', '>12<i aria-hidden="true">K</i><')), /"12", "K"/],
    ['a cell less', homepage(games.replace('<td>0</td>', '')), /3 cells for 4 columns/],
    ['a cell over two rows', homepage(games.replace('<td>12', '<td rowspan=2>12')), /5 cells for 4 columns/],
  ])('is refused with %s', (_, html, reason) => {
    expect(read(html)).toEqual(refused(reason));
  });

  it('is refused where a selector fits no table', () => {
    expect(read(homepage(games), { homepage: { page: { games: { selector: '.games' } } } })).toEqual(
      refused(/none of its tables is "\.games"/),
    );
  });

  it('has a game that is named like a row of totals', () => {
    expect(gameOf(['Total', '4d530064', '7', '-'])).toMatchObject({ name: 'Total', online: 7 });
  });

  it.each([
    ['MS-001<br><small class="text-muted">4D530064</small>', 'MS-001'],
    ['4D530064 <small>ms-74</small>', 'MS-74'],
    ['<span class="badge">4D530064</span>', ''],
  ])('has the product code of the cell %s', (cell, productCode) => {
    expect(gameOf(['Halo', cell, '3', '-'])).toMatchObject({ titleId: '4d530064', productCode });
  });

  it.each<[string, unknown]>([
    ...['-', '–', '0', '0 sessions', '0 in 0 sessions', '', '&nbsp;'].map((idle): [string, unknown] => [
      idle,
      { sessions: 0, players: 0 },
    ]),
    ...[
      'busy',
      '5',
      '5 in sessions',
      '3 in 0 sessions',
      '13 in 2 sessions',
      '3 in 5 sessions',
      '4<br>in 1 session',
    ].map((unknown): [string, unknown] => [unknown, null]),
    ['4 in 1 session', { sessions: 1, players: 4 }],
  ])('has the activity "%s" of a game', (shown, activity) => {
    expect(gameOf(['Halo', '4d530064', '12', shown])).toMatchObject({ online: 12, activity });
  });

  it.each([
    ['//cdn.example/i.png', 'https://cdn.example/i.png'],
    ['i.png?a=1&amp;b=2', 'https://network.example/live/i.png?a=1&b=2'],
    ['javascript:alert(1)', ''],
    ['data:image/png;base64,AA', ''],
    ['http://[', ''],
    ['data:image/gif;base64,AA" data-src="/i.png', 'https://network.example/i.png'],
    ['" srcset="/i.png 1x, /j.png 2x', 'https://network.example/i.png'],
  ])('resolves the icon %s to "%s"', (source, image) => {
    expect(gameOf([`<img src="${source}"> Halo`, '4d530064', '7', '-'])).toMatchObject({ image });
  });

  it('has unknown names that are cut, publishers below titles, and unknown registered users', () => {
    expect(gameOf(['Harbor…<br>Quillon', '4d530064', '7', '-'])).toMatchObject({ name: '', publisher: 'Quillon' });
    for (const counters of [
      COUNTERS.replace('24,409', '24k'),
      COUNTERS.replace('24,409', '0'),
      COUNTERS.replace('Registered', 'All'),
    ])
      expect(read(homepage(games, counters))).toMatchObject({ registered: null, online: 481 });
  });

  it('cannot have a placeholder twice', () => {
    const counters = { online: '{n} of {n} users' };
    expect(() => readHomepage(homepage(games), { homepage: { page: { counters } } })).toThrow(/placeholder once/);
  });

  it('may have inline SVG icons and many "<" in scripts, styles and comments', () => {
    const less = 'if(a<b&&c<d)e("<div><svg><g>");'.repeat(600);
    const icon = '<svg viewBox="0 0 9 9"><path d="M0 0h9"/><circle r="4"/><rect width="9" height="9" /></svg>';
    const html = homepage(games.replaceAll('<a>', `${icon}<a>`)).replace(
      '<main>',
      `<script>${less}</script><style>/* ${less} */</style><!-- ${less} --><main>`,
    );
    expect(read(html)).toMatchObject(READ);
  });
});
