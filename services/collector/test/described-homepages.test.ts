import { COUNTERS, games, GAMES, GAMES_READ, harbor, homepage, pier } from './described-homepage.ts';
import { page } from './page-builder.ts';
import { attempt, readHomepage, row, table } from './read-pages.ts';

describe('the built-in description of a homepage', () => {
  it.each([
    ['counters in boxes', homepage(games)],
    [
      'counters in a definition list',
      homepage(
        games,
        '<dl><dt>Games Supported</dt><dd>2</dd><dt>Registered Users</dt><dd>24,409</dd><dt>Users Online Now</dt><dd>481</dd></dl>',
      ),
    ],
    [
      'labels before numbers in one box',
      homepage(
        games,
        '<div><p>Games Supported</p><h3>2</h3><p>Registered Users</p><h3>24,409</h3><p>Users Online Now</p><h3>481</h3></div>',
      ),
    ],
    [
      'counters on a line each',
      homepage(games, '<p>24 409 Registered Users</p><p><b>481</b> Users Online Now</p><p>Games Supported: 2</p>'),
    ],
    ['icons in labels', homepage(games, COUNTERS.replace('Users On', '<i class="material-icons">people</i> Users On'))],
    ['a table without headings', homepage(games.replace(/<thead>.*<\/thead>/, ''))],
    [
      'other columns',
      homepage(
        table(
          ['', 'Peak', ...GAMES],
          [harbor, pier].map((cells) => ['<img>', '99', ...cells]),
        ),
      ),
    ],
    [
      'columns in another order',
      homepage(
        table(
          GAMES.toReversed(),
          [harbor, pier].map((cells) => cells.toReversed()),
        ),
      ),
    ],
    ['formatted names', homepage(games.replace('Harbor Six', 'Har<em>bor</em> Six'))],
    ['a row of totals', homepage(games.replace('</tbody>', `${row(['Total', '', '12', '4 in 1 session'])}</tbody>`))],
    ['a table of the week', homepage(`${table(['Game', 'Title ID', 'Players'], [['Top', '4d530001', '9']])}${games}`)],
  ])('reads %s', (_, html) => {
    const titles = GAMES_READ.map((title) => expect.objectContaining(title) as unknown);
    expect(attempt(() => readHomepage(html))).toMatchObject({ registered: 24_409, online: 481, titles });
  });

  it.each([
    [
      'an unknown label',
      homepage(games, COUNTERS.replace('Online Now', 'Here')),
      { counters: { online: 'Users Here' } },
    ],
    ['a dash for nobody', homepage(games.replace('<td>0', '<td>—')), { formats: { zero: '—' } }],
    [
      'a heading beside a total',
      homepage(
        table(
          ['Game', 'Serial', 'Players now', 'Players'],
          [harbor, pier].map(([name = '', id = '', now = '']) => [name, id, now, '440']),
        ),
      ),
      { games: { columns: { online: 'Players now' } } },
    ],
    [
      'two headings',
      homepage(
        table(
          [...GAMES, 'Online'],
          [harbor, pier].map((cells) => [...cells, '440']),
        ),
      ),
      { games: { columns: { online: 'Online users' } } },
    ],
    ['another section', page(`${COUNTERS}<h2>Rooms</h2>${games}`), { games: { section: 'Rooms' } }],
    [
      'a sentence as counter',
      homepage(games, '<p>There are <b>481</b> users here.</p>'),
      { counters: { online: 'There are {n} users here' } },
    ],
    [
      'a link beside a name',
      homepage(games.replace('</a>', '</a> <a>Details ›</a>').replace('Old Pier', '<a>Old Pier</a>')),
      {},
      { hidden: 'a + a' },
    ],
    [
      'a selector of no table',
      homepage(games.replace('<table>', '<table class="list">')),
      { games: { selector: '.list' } },
      {},
      { homepage: { page: { games: { selector: '.games' } } } },
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
      'a change beside a counter',
      homepage(games, COUNTERS.replace('481', '481 <i class="up">+12</i>')),
      {},
      { hidden: '.up' },
    ],
    ['hidden text', homepage(games.replace('>12<', '><s class="old">40</s> 12<')), {}, { hidden: '.old' }],
    ['a tag beside a name', homepage(games.replace('<a>', '<b class="genre">Race</b> <a>')), {}, { hidden: '.genre' }],
    ['a link within a name', homepage(games.replace('Harbor Six</a>', 'Harbor</a> <a>Six</a>')), {}, { keep: 'a' }],
    [
      'no headings and another order',
      homepage(
        table(
          [],
          [harbor, pier].map(([name = '', ...others]) => [...others, name]),
        ).replace(/<thead>.*<\/thead>/, ''),
      ),
      { games: { order: ['titleId', 'online', 'activity', 'title'] } },
    ],
  ] as [string, string, object, object?, object?][])(
    'refuses %s with the line that reads it',
    (_, html, described, all = {}, refused = {}) => {
      const titles = GAMES_READ.map(({ titleId, name, online }) => ({ titleId, name, online }));
      expect(attempt(() => readHomepage(html, refused))).toEqual(expect.any(String));
      const reading = attempt(() => readHomepage(html, { homepage: { page: described }, ...all }));
      expect(reading).toMatchObject({ online: 481, titles });
    },
  );

  it('has no name of a game that the page cuts, and no number beside a unit that only eyes see', () => {
    expect(readHomepage(homepage(games.replace('Harbor Six', 'Harbor…'))).titles[0]?.name).toBe('');
    const unit = homepage(games.replace('>12<', '>12<span aria-hidden="true">K</span><'));
    expect(attempt(() => readHomepage(unit))).toMatch(/several elements, "12", "K"/);
  });

  it('cannot have a placeholder twice', () => {
    const counters = { online: '{n} of {n} users' };
    expect(() => readHomepage(homepage(games), { homepage: { page: { counters } } })).toThrow(/placeholder once/);
  });
});
