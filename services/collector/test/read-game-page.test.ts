import fc from 'fast-check';
import { readGamePage } from './read-pages.ts';
import { UnparseablePageError } from '../src/network/page-failures.ts';
import type { GamePageReading } from '../src/network/network.ts';
import { game, gamePageHtml, page, plain, style, type Game } from './page-builder.ts';

const small: Game = {
  title: 'Halo 2',
  publisher: 'Microsoft',
  matches: [
    { host: 'Foehammer', players: 3, maxPlayers: 8 },
    { host: '1942', players: 12, maxPlayers: 0 },
  ],
};
const noMatches = { ...small, matches: [] };

function expectedOf({ title, publisher, matches }: Game): GamePageReading {
  const metadata = { title, publisher, releaseDate: '2001-11-15' };
  return { matches, metadata, boards: [{ id: 1, name: 'Time' }] };
}

/** The reading of a page; undefined when it is rejected. */
function readOrUndefined(reading: () => GamePageReading): GamePageReading | undefined {
  try {
    return reading();
  } catch (error) {
    if (error instanceof UnparseablePageError) return undefined;
    throw error;
  }
}

describe('readGamePage', () => {
  it('reads the same values from any markup and number format', () => {
    fc.assert(
      fc.property(game, style, (values, written) => {
        expect(readGamePage(gamePageHtml(values, { ...written, header: true }))).toEqual(expectedOf(values));
      }),
      { numRuns: 100 },
    );
  });

  it('reads a truncated page completely or throws', () => {
    fc.assert(
      fc.property(game, style, fc.double({ min: 0, max: 1, noNaN: true }), (values, written, part) => {
        const html = gamePageHtml(values, { ...written, header: true });
        const cut = html.slice(0, Math.floor(html.length * part));
        expect([undefined, expectedOf(values)]).toContainEqual(readOrUndefined(() => readGamePage(cut)));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['a match has no number of players', (html: string) => html.replace('3/8', 'many')],
    ['a match has half a number of players', (html: string) => html.replace('3/8', '3/')],
    ['a match lacks its cell of players', (html: string) => html.replace('<td>3/8</td>', '')],
    ['a match has no host', (html: string) => html.replace('Foehammer', '')],
    ['a host’s name is too long to be one', (html: string) => html.replace('Foehammer', 'x'.repeat(201))],
    ['its table of matches is not closed', (html: string) => html.replace(/<\/table>(?=<select)/, '')],
    ['it ends before </html>', (html: string) => html.replace('</html>', '')],
  ])('throws UnparseablePageError when %s', (_, change) => {
    expect(() => readGamePage(change(gamePageHtml(small)))).toThrow(UnparseablePageError);
  });

  it('throws UnparseablePageError for a page that is not a game page', () => {
    expect(() => readGamePage(page('<h1>Maintenance</h1>'))).toThrow(UnparseablePageError);
  });

  it('returns no matches when the table has a notice instead of rows', () => {
    expect(readGamePage(gamePageHtml(noMatches)).matches).toEqual([]);
  });

  it('returns null for matches when the table has neither rows nor a notice: a script may fill it', () => {
    const empty = gamePageHtml(noMatches).replace(/<tr><td colspan.*?<\/tr>/s, '');
    expect(readGamePage(empty)).toMatchObject({ ...expectedOf(noMatches), matches: null });
    expect(readGamePage(empty.replace('<ul>', '<p>There are no open matches right now.</p><ul>')).matches).toEqual([]);
  });

  it.each(['No active sessions', 'There are currently no open lobbies.', 'Nobody is playing right now.'])(
    'returns no matches when the notice "%s" replaces the table',
    (notice) => {
      const html = gamePageHtml(noMatches).replace(/<table class.*?<\/table>/s, `<p>${notice}</p>`);
      expect(readGamePage(html).matches).toEqual([]);
    },
  );

  it.each(['', '<p>No leaderboards for this game have sessions</p>', '<p>No news today</p>'])(
    'returns null for matches when "%s" replaces the table',
    (instead) => {
      const html = gamePageHtml(small).replace(/<table class.*?<\/table>/s, instead);
      expect(readGamePage(html)).toMatchObject({ ...expectedOf(small), matches: null });
    },
  );

  it('finds the match table by its header when the class is missing', () => {
    const striped = '<table class="table-striped"><tr><th>Rank<th>Gamertag<th>Score<tr><td>1<td>Ada<td>3</table>';
    const html = gamePageHtml(small).replace('class="table table-striped"', '').replace('<ul>', `${striped}<ul>`);
    expect(readGamePage(html)).toEqual(expectedOf(small));
  });

  it('finds the host and player columns among other columns', () => {
    const header = '<tr><th>Map</th><th>Host</th><th>Mode</th><th>Players</th></tr>';
    const html = gamePageHtml(noMatches).replace(
      /<tr><th>Host.*?<\/tr>.*?<\/tr>/s,
      `${header}<tr><td>12</td><td>Ada</td><td>4/4</td><td>3/8</td></tr>`,
    );
    expect(readGamePage(html).matches).toEqual([{ host: 'Ada', players: 3, maxPlayers: 8 }]);
  });

  /** The matches of a page whose table has this header and row. */
  const matchesOf = (headings: string[], cells: string[]) =>
    readGamePage(
      gamePageHtml(small).replace(
        /<table class.*?<\/table>/s,
        `<table class="table table-striped"><thead><tr>${headings.map((each) => `<th>${each}</th>`).join('')}</tr></thead>` +
          `<tbody><tr>${cells.map((each) => `<td>${each}</td>`).join('')}</tr></tbody></table>`,
      ),
    ).matches;

  it.each([
    ['open slots', ['Host', 'Open Slots', 'Players'], ['Ada', '5', '3'], 3, 0],
    ['a maximum', ['Host', 'Max Players', 'Players'], ['Ada', '8', '3'], 3, 8],
    ['an unknown maximum', ['Host', 'Players', 'Capacity'], ['Ada', '3', '-'], 3, 0],
    ['open slots beside the players', ['Host', 'Players', 'Open'], ['Ada', '3', '5'], 3, 0],
    ['free slots and a maximum', ['Host', 'Players', 'Free', 'Max'], ['Ada', '3', '4', '8'], 3, 8],
    ['an arrow of sorting', ['Host ▲', 'Players:'], ['Ada', '3 of 8'], 3, 8],
  ])('reads a table with %s', (_, headings, cells, players, maxPlayers) => {
    expect(matchesOf(headings, cells)).toEqual([{ host: 'Ada', players, maxPlayers }]);
  });

  it.each([
    ['a leaderboard', ['#', 'Gamertag', 'Points'], ['1', 'Ada', '12,345']],
    ['a leaderboard of players', ['Rank', 'Host', 'Players'], ['1', 'Ada', '12,345']],
    ['a table of servers', ['Server', 'Players'], ['Ada', '3']],
    ['a table of playlists', ['Playlist', 'Players'], ['Team Slayer', '12']],
  ])('returns null for matches when the only table is %s', (_, headings, cells) => {
    expect(matchesOf(headings, cells)).toBeNull();
  });

  it.each([
    ['more players than the maximum', ['Host', 'Players'], ['Ada', '9/8']],
    ['more players than the maximum of its column', ['Host', 'Players', 'Max'], ['Ada', '9', '8']],
    ['digits of another script', ['Host', 'Players'], ['Ada', '३/८']],
    ['a badge beside the host', ['Host', 'Players'], ['Ada <span class="badge">HOST</span>', '3/8']],
    ['a mixed fraction', ['Host', 'Players'], ['Ada', '1 3⁄8']],
    ['the sign of a fraction', ['Host', 'Players'], ['Ada', '⅜']],
    ['a number put together from two elements', ['Host', 'Players'], ['Ada', '1<sup>2</sup>']],
    ['two elements that may be the host', ['Host', 'Players'], ['<a>Ada</a> <a>Lord Vex</a>', '3/8']],
    ['a host that was not decoded', ['Host', 'Players'], ['Ad\uFFFD', '3/8']],
    ['a cell missing', ['Host', 'Map', 'Players'], ['Ada', '3/8']],
    ['two columns of players', ['Host', 'Players', 'Player count'], ['Ada', '3', '4']],
    ['a label before the host', ['Host', 'Players'], ['Hosted by Ada', '3/8']],
    ['a title beside the host', ['Host', 'Players'], ['<b>GM</b> Ada', '3/8']],
  ])('throws UnparseablePageError for %s', (_, headings, cells) => {
    expect(() => matchesOf(headings, cells)).toThrow(UnparseablePageError);
  });

  it.each([
    '<span class="sr-only">Host:</span> Ada',
    '<i class="material-icons">person</i> Ada',
    '<div class="avatar">AD</div><a href="/u/ada">Ada</a>',
    'A<wbr>da',
  ])('reads the host of the cell %s', (cell) => {
    expect(matchesOf(['Host', 'Players'], [cell, '3/8'])).toEqual([{ host: 'Ada', players: 3, maxPlayers: 8 }]);
  });

  it('leaves out hidden rows and repeated headings', () => {
    const rows =
      '<tr><td>Host</td><td>Players</td></tr>' + '<tr hidden><td>Foehammer</td><td>9/9</td></tr></table><select';
    expect(readGamePage(gamePageHtml(small).replace('</table><select', rows)).matches).toEqual(small.matches);
  });

  it.each(['Loading more…', '12 more matches', 'Total', 'Advertisement'])(
    'throws UnparseablePageError when a row says that the list may be longer: %s',
    (text) => {
      const cells = text === 'Total' ? '<td>Total</td><td>16</td>' : `<td colspan="2">${text}</td>`;
      const html = gamePageHtml(small).replace('</table><select', `<tr>${cells}</tr></table><select`);
      expect(() => readGamePage(html)).toThrow(UnparseablePageError);
    },
  );

  it('does not take a help text for the notice that there are no matches', () => {
    const html = gamePageHtml(small).replace(
      /<table class.*?<\/table>/s,
      '<p>No sessions showing? Refresh the page.</p>',
    );
    expect(readGamePage(html).matches).toBeNull();
  });

  it.each([
    ['2001-11-15', '2001-11-15'],
    ['15th November 2001', '2001-11-15'],
    ['Nov. 15th, 2001', '2001-11-15'],
    ['November 15, 2001', '2001-11-15'],
    ['3 Sept 2004', '2004-09-03'],
    ['31 February 2001', ''],
    ['TBA', ''],
  ])('reads the release date %s as "%s"', (text, releaseDate) => {
    const html = gamePageHtml(small).replace('15 November 2001', text);
    expect(readGamePage(html).metadata).toMatchObject({ releaseDate });
  });

  it.each([
    ['a definition list', '<dl><dt>Full title</dt><dd>Halo 2</dd><dt>Publisher:</dt><dd>Bungie</dd></dl>'],
    ['a table', '<table><tr><th>Title</th><td>Halo 2</td></tr><tr><th>Publisher</th><td>Bungie</td></tr></table>'],
    [
      'a table without headings',
      '<table><tr><td>Title</td><td>Halo 2</td></tr><tr><td>Publisher</td><td>Bungie</td></tr></table>',
    ],
    [
      'boxes side by side',
      '<div><div>Title</div><div>Halo 2</div></div><div><div>Publisher</div><div>Bungie</div></div>',
    ],
    ['plain paragraphs', '<p>Title: Halo 2</p><p>Publisher: Bungie</p>'],
    ['a list without colons', '<ul><li><b>Title</b> Halo 2<li><b>Publisher</b> Bungie</ul>'],
  ])('reads metadata from %s', (_, list) => {
    const html = gamePageHtml(small, { ...plain }).replace(/<ul>.*?<\/ul>/s, list);
    expect(readGamePage(html).metadata).toEqual({ title: 'Halo 2', publisher: 'Bungie', releaseDate: '' });
  });

  it('returns null for missing metadata and does not read a host as a label', () => {
    const matches = [{ host: 'Publisher', players: 3, maxPlayers: 8 }];
    const html = gamePageHtml({ ...small, matches }).replace(/<ul>.*?<\/ul>/s, '');
    expect(readGamePage(html)).toMatchObject({ matches, metadata: null });
  });
});

describe('leaderboard menu of a game page', () => {
  const menu = (options: string, select = '<select id="leaderboard-select">') =>
    gamePageHtml(small).replace(/<select.*<\/select>/s, `${select}${options}</select>`);

  it('returns each leaderboard of the menu once, without the placeholder option', () => {
    const html = menu(
      '<option value="">Choose<option value=7 selected> Old\n Pier <option value="0007">again<option value="2147483647">&lt;b&gt;',
    );
    expect(readGamePage(html).boards).toEqual([
      { id: 7, name: 'Old Pier' },
      { id: 2_147_483_647, name: '<b>' },
    ]);
  });

  it('returns null for boards without a menu or with an empty menu', () => {
    expect(readGamePage(gamePageHtml(small).replace(/<select.*<\/select>/s, '')).boards).toBeNull();
    for (const none of ['', '<option>Choose a leaderboard', '<option value="">Choose<option value=" ">None']) {
      expect(readGamePage(menu(none))).toMatchObject({ matches: small.matches, boards: null });
    }
  });

  it('finds a menu by the selector of the description', () => {
    const html = menu('<option value=7>A', '<select class=x name="Leaderboards">');
    expect(readGamePage(html).boards).toBeNull();
    expect(readGamePage(html, { titles: { page: { boards: '[name="Leaderboards"]' } } }).boards).toHaveLength(1);
  });

  it.each([
    ['a value that is no number', '<option value="7">A<option value="best">B'],
    ['a value that is too large', '<option value="2147483648">A'],
    ['options that have their values elsewhere', '<option data-id=7>A<option data-id=8>B'],
  ])('returns null for boards but reads the matches with %s', (_, options) => {
    expect(readGamePage(menu(options))).toMatchObject({ matches: small.matches, boards: null });
  });

  it('keeps names of up to 1,000 characters whole, and leaves out leaderboards with longer ones', () => {
    const names = ['🏁'.repeat(500), `x${'🏁'.repeat(500)}`, 'Best Lap'];
    const options = names.map((name, index) => `<option value=${index + 1}>${name}`).join('');
    const boards = readGamePage(menu(options)).boards ?? [];
    expect(boards.map(({ name }) => name)).toEqual([names[0], names[2]]);
  });
});
