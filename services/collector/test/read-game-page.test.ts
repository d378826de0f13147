import { page } from './page-builder.ts';
import { attempt, readGamePage, refused, row, table, type Cells } from './read-pages.ts';

const about = '<ul><li><strong>Title:</strong> Reef Runner</li></ul>';
const [ADA, MOSS] = [
  { host: 'Ada', players: 3, maxPlayers: 8 },
  { host: 'Moss', players: 4, maxPlayers: 8 },
];
const hosts = (...rows: readonly Cells[]) => table(['Host', 'Players'], rows);
const one = hosts(['Ada', '3/8']);
const finished = hosts(['Old', '8/8']);

/** The matches of a game page, or why it is refused. */
const matchesOf = (html: string, described = {}) =>
  attempt(() => readGamePage(page(about + html), { titles: { page: described } }).matches);

describe('open matches', () => {
  it.each<[string, string, unknown?]>([
    ['a known table', one],
    ['a table below a known heading', `<h2>Active sessions</h2>${one}`],
    ['other columns', table(['Map', 'Host', 'Mode', 'Players'], [['12', 'Ada', '4/4', '3/8']])],
    ['open slots', table(['Host', 'Open Slots', 'Players'], [['Ada', '5', '3']]), [{ ...ADA, maxPlayers: 0 }]],
    ['a maximum', table(['Host', 'Max Players', 'Players'], [['Ada', '8', '3']])],
    ['an unknown maximum', table(['Host', 'Players', 'Capacity'], [['Ada', '3', '-']]), [{ ...ADA, maxPlayers: 0 }]],
    ['free slots and a maximum', table(['Host', 'Players', 'Free', 'Max'], [['Ada', '3', '4', '8']])],
    ['an arrow of sorting', table(['Host ▲', 'Players:'], [['Ada', '3 of 8']])],
    ['text for those who listen', hosts(['<span class="sr-only">Host:</span> Ada', '3/8'])],
    ['an icon', hosts(['<i class="material-icons">person</i> Ada', '3/8'])],
    ['a picture of letters', hosts(['<div class="avatar">AD</div><a href="/u/ada">Ada</a>', '3/8'])],
    ['a break opportunity', hosts(['A<wbr>da', '3/8'])],
    ['a mark of direction', hosts(['\u200EAda\u200E', '3/8'])],
    [
      'repeated headings',
      one.replace('</tbody>', `${row(['Host', 'Players'])}${row(['Moss', '4/8'])}</tbody>`),
      [ADA, MOSS],
    ],
    ['rows of header cells', one.replaceAll('td>', 'th>')],
    ['hidden rows', one.replace('</tbody>', `<tr hidden><td>Old<td>9/9</tr></tbody>`)],
    [
      'rows of wide screens',
      one.replace(
        '</tbody>',
        '<tr class="d-none d-md-table-row"><td>Moss<td>4/8</tr><tr class="d-none"><td>Fern<td>1/8</tr>',
      ),
      [ADA, MOSS],
    ],
    ['a closed dialog', `<dialog>${finished}</dialog>${one}`],
    ['a tab that is not shown', `<div class="tab-pane">${finished}</div><div class="tab-pane active">${one}</div>`],
    ['folded matches', `<details><summary>Old</summary>${finished}</details>${one}`],
    ['a leaderboard beside them', table(['Rank', 'Host', 'Players'], [['1', 'Ada', '12']]) + one],
    ['no matches', hosts(['Nobody is playing right now.', '']), []],
    [
      'a notice across the table',
      one.replace(row(['Ada', '3/8']), '<tr><td colspan="2">No matches found</td></tr>'),
      [],
    ],
    ['a notice without a table', '<p>There are currently no open lobbies.</p>', []],
    ['a notice below an empty table', `${hosts()}<p>There are no open matches right now.</p>`, []],
    ['a notice before finished ones', `<p>No open sessions.</p><h2>Recent sessions</h2>${finished}`, []],
    ['a notice before a line in bold', `<p>No open matches</p><p><b>Finished</b></p>${finished}`, []],
    [
      'a notice before the head of a box',
      `<p>No open matches</p><div class="card-header">Finished</div>${finished}`,
      [],
    ],
    [
      'a notice before ended ones',
      `<p>No open matches</p>${table(['Host', 'Players', 'Ended'], [['Old', '8/8', '1']])}`,
      [],
    ],
    [
      'a notice before users',
      `<p>There are no open matches.</p>${table(['Player', 'Since'], [['1337', '12:20']])}`,
      [],
    ],
    ['a table that a script may fill', hosts(), null],
    ['a section that is not known', `<h2>Rooms</h2>${one}`, null],
    ['a notice of another section', '<h2>Chat</h2><p>No open sessions</p>', null],
    ['a heading with such a word', table(['Host', 'Players', 'Ended at'], [['Ada', '3/8', '1']]), null],
    ['such a line above them', `<h2>Matches</h2><p>These have ended:</p>${one}`, null],
    ['another notice', '<p>No leaderboards for this game have sessions</p>', null],
    ['a help text', '<p>No sessions showing? Refresh the page.</p>', null],
    ['a leaderboard alone', table(['#', 'Gamertag', 'Points'], [['1', 'Ada', '12']]), null],
    ['a table of servers', table(['Server', 'Players'], [['Ada', '3']]), null],
  ])('are read with %s', (_, html, matches = [ADA]) => {
    expect(matchesOf(html)).toEqual(matches);
  });

  it.each<[string, string, RegExp]>([
    ['no number', hosts(['Ada', 'many']), /"many" as its players/],
    ['half a number', hosts(['Ada', '3/']), /as its players/],
    ['digits of another script', hosts(['Ada', '३/८']), /as its players/],
    ['the sign of a fraction', hosts(['Ada', '⅜']), /as its players/],
    ['digits of two elements', hosts(['Ada', '1<sup>2</sup>']), /several elements/],
    ['more players than the maximum', hosts(['Ada', '9/8']), /as its players/],
    ['more than the maximum of a column', table(['Host', 'Players', 'Max'], [['Ada', '9', '8']]), /as their maximum/],
    ['a cell missing', table(['Host', 'Map', 'Players'], [['Ada', '3/8']]), /2 cells for 3 columns/],
    ['no host', hosts(['', '3/8']), /empty/],
    ['a host that is too long', hosts(['x'.repeat(201), '3/8']), /too long/],
    ['two hosts', hosts(['<a>Ada</a> <a>Lord Vex</a>', '3/8']), /several elements, "Ada", "Lord Vex"/],
    ['a title beside the host', hosts(['<b>GM</b> Ada', '3/8']), /"hidden": \["b"\]/],
    ['a label before the host', hosts(['Hosted by Ada', '3/8']), /may have a label/],
    ['a host that was not decoded', hosts(['Ad\uFFFD', '3/8']), /decoded/],
    [
      'two columns of players',
      table(['Host', 'Players', 'Player count'], [['Ada', '3', '4']]),
      /may both be "players"/,
    ],
    ['a table that is not closed', one.replace('</table>', ''), /ends before/],
    [
      'a heading over two columns',
      one.replace('<th>', '<th colspan="2">').replace('<td>', '<td>EU<td>'),
      /both be "host"/,
    ],
    [
      'other headings between rows',
      one.replace('</tbody>', `${row(['Ended', 'Players'], 'th')}</tbody>`),
      /"Players" as its/,
    ],
    ['two tables', one + one, /2 tables/],
    ['a notice that there are none', `<p>No open sessions.</p>${one}`, /says "No open sessions."/],
    ['the sum of two', hosts(['Ada', '3/8'], ['Moss', '4/8'], ['Gesamt', '7/16']), /sum.*"ignoreRows": "Gesamt"/],
    ['a sum without places', hosts(['Ada', '3'], ['Moss', '4'], ['All', '7']), /sum/],
    ['a sum of some', hosts(['Ada', '3/8'], ['Subtotal EU', '3/8']), /sum/],
    ['a count of all', hosts(['Ada', '3/8'], ['1 session', '3/8']), /sum/],
    ['a row across the table', one.replace('</tbody>', '<tr><td colspan="2">12 more matches</td></tr>'), /1 cells/],
  ])('are refused with %s', (_, html, reason) => {
    expect(matchesOf(html)).toEqual(refused(reason));
  });

  it.each<[string, string, RegExp, object, unknown?]>([
    [
      'a heading',
      table(['Captain', 'Players'], [['Ada', '3/8']]),
      /"host" among "Captain"/,
      { matches: { columns: { host: 'Captain' } } },
    ],
    [
      'a format',
      hosts(['Ada', '3 [8]'], ['Moss', '4/8']),
      /"3 \[8\]"/,
      { formats: { players: '{players} [{max}]' } },
      [ADA, MOSS],
    ],
    ['totals', hosts(['Ada', '3/8'], ['Total', '3']), /ignoreRows.*Total/, { matches: { ignoreRows: 'Total' } }],
    [
      'a notice',
      hosts(['Geen spellen', '']).replace('<td></td>', ''),
      /"none": "Geen/,
      { matches: { none: 'Geen spellen' } },
      [],
    ],
    ['a badge', hosts(['Ada <i class="new">NEW</i>', '3/8']), /"hidden": \["i.new"\]/, { matches: {} }, undefined],
  ])('are read with %s described', (_, html, reason, described, matches = [ADA]) => {
    expect(matchesOf(`<h2>Matches</h2>${html}`)).toEqual(refused(reason));
    const all = { titles: { page: described }, hidden: 'i.new' };
    expect(attempt(() => readGamePage(page(`${about}<h2>Matches</h2>${html}`), all).matches)).toEqual(matches);
  });

  it('are read in a described section, or in a table that a selector names, or not at all', () => {
    expect(matchesOf(`<h2>Rooms</h2>${one}`, { matches: { section: 'Rooms' } })).toEqual([ADA]);
    const marked = one.replace('<table>', '<table class="open">');
    expect(matchesOf(one.replace('Ada', 'Owl') + marked, { matches: { selector: '.open' } })).toEqual([ADA]);
    expect(matchesOf(one, { matches: { selector: '.open' } })).toEqual(refused(/none of its tables is "\.open"/));
    expect(matchesOf('<p>No open matches</p>', { matches: { selector: '.open' } })).toEqual([]);
  });

  it('are unknown with the headings of the tables that the page has', () => {
    expect(readGamePage(page(about + table(['Leader', 'Slots'], [])))).toMatchObject({
      matches: null,
      tables: [['Leader', 'Slots']],
    });
  });
});

describe('the metadata of a game', () => {
  const metadataOf = (html: string) => attempt(() => readGamePage(page(`<p>No open matches</p>${html}`)).metadata);
  const read = { title: 'Halo 2', publisher: 'Bungie', releaseDate: '' };

  it.each<[string, string, unknown?]>([
    ['a definition list', '<dl><dt>Full title</dt><dd>Halo 2</dd><dt>Publisher:</dt><dd>Bungie</dd></dl>'],
    ['a table', '<table><tr><th>Title</th><td>Halo 2</td></tr><tr><th>Publisher</th><td>Bungie</td></tr></table>'],
    ['cells alone', '<table><tr><td>Title</td><td>Halo 2</td></tr><tr><td>Publisher</td><td>Bungie</td></tr></table>'],
    ['boxes', '<div><div>Title</div><div>Halo 2</div></div><div><div>Publisher</div><div>Bungie</div></div>'],
    ['paragraphs', '<p>Title: Halo 2</p><p>Publisher: Bungie</p>'],
    ['a list without colons', '<ul><li><b>Title</b> Halo 2<li><b>Publisher</b> Bungie</ul>'],
    ['colons of their own', '<p><b>Title</b>: Halo 2</p><p><b>Publisher</b> – Bungie</p>'],
    ['a line with another label', '<p>Title: Halo 2 | Developer: Wren</p>', null],
    ['no label', '<p>Halo 2</p>', null],
    ['the host of a match as a label', hosts(['Publisher', '3/8']), refused(/No open matches/)],
    ['a name that is cut', '<p>Title: Halo…</p>', { ...read, title: '', publisher: '' }],
    [
      'headings of another table',
      `<p>Title: Halo 2</p><h2>News</h2>${table(['Title', 'Date'], [['Patch', 'now']])}`,
      { ...read, publisher: '' },
    ],
    ['labels of columns', '<dl><dt>Title<dt>Publisher<dd>Bungie</dl><ul><li>Title<li>Publisher</ul>', null],
    ['a title with more on its line', '<p><b>Title</b> <i>Halo</i> 2</p>', null],
    ['another game below', '<h3>Halo 2</h3><h4>You may also like</h4><p>Title: Halo 3</p>', null],
  ])('is read from %s', (_, html, metadata = read) => {
    expect(metadataOf(html)).toEqual(metadata);
  });

  it('ends at the second heading above the matches', () => {
    const html = `<h1>Halo 2</h1><h4>More</h4><p>Title: Halo 3</p><h2>Matches</h2>${one}`;
    expect(readGamePage(page(html))).toMatchObject({ matches: [ADA], metadata: null });
  });

  it.each([
    ['2001-11-15', '2001-11-15'],
    ['15 November 2001', '2001-11-15'],
    ['15th November 2001', '2001-11-15'],
    ['15th Nov. 2001', '2001-11-15'],
    ['11/15/2001', ''],
    ['3 Sept 2004', '2004-09-03'],
    ['31 February 2001', ''],
    ['TBA', ''],
  ])('has the release date %s as "%s"', (shown, releaseDate) => {
    expect(metadataOf(`<p>Released: ${shown}</p>`)).toMatchObject({ releaseDate });
  });
});

describe('the leaderboard menu of a game page', () => {
  const boardsOf = (options: string, described = {}, id = 'id="leaderboard-select"') =>
    readGamePage(page(`${about}<select ${id}>${options}</select>`), { titles: { page: described } }).boards;
  const [longest, longer] = ['🏁'.repeat(500), `x${'🏁'.repeat(500)}`];

  it.each<[string, string, unknown]>([
    [
      'each once',
      '<option value="">Choose<option value=7 selected> Old\n Pier <option value="0007">again',
      [{ id: 7, name: 'Old Pier' }],
    ],
    ['names as shown', '<option value="2147483647">&lt;b&gt;', [{ id: 2_147_483_647, name: '<b>' }]],
    [
      'names of 1,000 characters at most',
      `<option value=1>${longest}<option value=2>${longer}`,
      [{ id: 1, name: longest }],
    ],
    ['unknown names that are cut', '<option value="1">Fastest lap on…', [{ id: 1, name: '' }]],
    ['none without options', '', null],
    ['none with placeholders alone', '<option>Choose<option value=" ">None', null],
    ['none with a value that is no number', '<option value="7">A<option value="best">B', null],
    ['none with a value that is too large', '<option value="2147483648">A', null],
    ['none with values elsewhere', '<option data-id=7>A<option data-id=8>B', null],
  ])('has %s', (_, options, boards) => {
    expect(boardsOf(options)).toEqual(boards);
  });

  it('is found by the selector of the description', () => {
    const options = '<option value=7>A';
    expect(boardsOf(options, {}, 'name="boards"')).toBeNull();
    expect(boardsOf(options, { boards: '[name="boards"]' }, 'name="boards"')).toHaveLength(1);
  });
});

describe('a page that is no game page', () => {
  it.each<[string, string, RegExp]>([
    ['another page', page('<h1>Maintenance</h1>'), /not the page of a game/],
    ['a page that is cut', page(about).replace('</html>', ''), /ends before/],
  ])('is refused: %s', (_, html, reason) => {
    expect(attempt(() => readGamePage(html))).toEqual(refused(reason));
  });
});
