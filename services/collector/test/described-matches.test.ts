import { page } from './page-builder.ts';
import { attempt, readGamePage, table, type Cells } from './read-pages.ts';

describe('tables beside open matches', () => {
  const about = '<ul><li><strong>Title:</strong> Reef Runner</li></ul>';
  const hosts = (headings: Cells, cells: Cells) => table(headings, [cells]);

  it.each([
    [
      'finished ones',
      '<h2>Open sessions</h2><p>No open sessions right now.</p><h2>Recent sessions</h2>',
      ['Host', 'Players'],
      ['Ada', '8/8'],
    ],
    [
      'planned ones',
      '<p>No active sessions.</p><h2>Upcoming tournaments</h2>',
      ['Tournament', 'Host', 'Players'],
      ['Cup', 'Ada', '8/8'],
    ],
    ['users', '<p>There are no open matches.</p><h2>Online</h2>', ['Player', 'Since'], ['1337', '12:20']],
    [
      'finished ones below a line in bold',
      '<p>No open matches</p><p class="lead"><b>Finished</b></p>',
      ['Host', 'Players'],
      ['Ada', '8/8'],
    ],
    [
      'finished ones below the head of a box',
      '<p>No open matches</p><div class="card-header">Finished</div>',
      ['Host', 'Players'],
      ['Ada', '8/8'],
    ],
    ['ended ones without a section', '<p>No open matches</p>', ['Host', 'Players', 'Ended'], ['Ada', '8/8', 'today']],
  ])('are not read as matches: %s', (_, before, headings, cells) => {
    expect(readGamePage(page(about + before + hosts(headings, cells)))).toMatchObject({ matches: [] });
  });

  it('are doubtful when the page says that there are no matches', () => {
    const html = page(`${about}<p>No open sessions.</p>${hosts(['Host', 'Players'], ['Ada', '3/8'])}`);
    expect(attempt(() => readGamePage(html))).toMatch(
      /"No open sessions\." and has a table with "Host", "Players".*"section"/,
    );
  });

  it.each([
    [
      'a heading',
      'Captain',
      '3/8',
      { matches: { columns: { host: 'Captain' } } },
      /no heading for "host" among "Captain"/,
    ],
    ['a format', 'Host', '3 [8]', { formats: { players: '{players} [{max}]' } }, /"3 \[8\]" as its players/],
    [
      'spaces in a format, which adds to those that are built in',
      'Host',
      '3 [8]</td></tr><tr><td>Moss</td><td>4 / 8',
      { formats: { players: '{players} [{max}]' } },
      /"3 \[8\]" as its players/,
      [{ host: 'Moss', players: 4, maxPlayers: 8 }],
    ],
    [
      'totals',
      'Host',
      '3/8</td></tr><tr><td>Total</td><td>3',
      { matches: { ignoreRows: 'Total' } },
      /ignoreRows.*Total/,
    ],
  ] as [string, string, string, object, RegExp, object[]?][])(
    'are read with %s described',
    (_, heading, players, described, refusal, others = []) => {
      const html = page(`${about}<h2>Matches</h2>${hosts([heading, 'Players'], ['Ada', players])}`);
      expect(attempt(() => readGamePage(html))).toMatch(refusal);
      expect(readGamePage(html, { titles: { page: described } }).matches).toEqual([
        { host: 'Ada', players: 3, maxPlayers: 8 },
        ...others,
      ]);
    },
  );

  it.each([
    ['Total players', '7'],
    ['2 sessions', '7/16'],
    ['Gesamt', '7/16'],
  ])('end in no sum: a last row of %s is refused', (...cells) => {
    const html = page(about + table(['Host', 'Players'], [['Ada', '3/8'], ['Moss', '4/8'], cells]));
    expect(attempt(() => readGamePage(html))).toMatch(/sum.*ignoreRows/);
    const described = { titles: { page: { matches: { ignoreRows: cells[0] } } } };
    expect(readGamePage(html, described).matches).toHaveLength(2);
  });

  it('are read as a wide screen shows them', () => {
    const rows = '<tr class="d-none d-md-table-row"><td>Moss<td>4/8</tr><tr class="d-none"><td>Fern<td>1/8</tr>';
    const folded = `<dialog>${hosts(['Host', 'Players'], ['Ghost', '9/9'])}</dialog><details><summary>Old</summary>${hosts(['Host', 'Players'], ['Past', '9/9'])}</details>`;
    const open = hosts(['Host', 'Players'], ['Ada', '3/8']).replace('</tbody>', `${rows}</tbody>`);
    expect(readGamePage(page(about + folded + open)).matches?.map(({ host }) => host)).toEqual(['Ada', 'Moss']);
  });

  it('have unknown names where the page cuts them', () => {
    const menu = '<select id="leaderboard-select"><option value="1">Fastest lap on…</option></select>';
    const { metadata, boards } = readGamePage(page(about.replace('Runner', 'Run…') + menu));
    expect([metadata?.title, boards]).toEqual(['', [{ id: 1, name: '' }]]);
  });

  it('are not known in a section that is not described', () => {
    const html = page(`${about}<h2>Rooms</h2>${hosts(['Host', 'Players'], ['Ada', '3/8'])}`);
    expect(readGamePage(html).matches).toBeNull();
    expect(readGamePage(html, { titles: { page: { matches: { section: 'Rooms' } } } }).matches).toHaveLength(1);
  });

  it('and headings of other tables are no metadata', () => {
    const html = page(
      `${about.replace('Title', 'Publisher')}<h2>News</h2>${hosts(['Title', 'Date'], ['Patch', 'today'])}`,
    );
    expect(readGamePage(html).metadata).toEqual({ title: '', publisher: 'Reef Runner', releaseDate: '' });
  });

  it('and what stands below a later heading is metadata of another game', () => {
    const other = '<h4>You may also like</h4><dl><dt>Title</dt><dd>Reef Runner 2</dd></dl>';
    const html = page(`<h3>Open matches</h3>${hosts(['Host', 'Players'], ['Ada', '3/8'])}${other}`);
    expect(readGamePage(html)).toMatchObject({ matches: [{ host: 'Ada' }], metadata: null });
  });

  it('has a notice of its own', () => {
    const html = page(
      `${about}<h2>Matches</h2>${table(['Host', 'Players'], []).replace('<tbody>', '<tbody><tr><td colspan="2">Geen spellen</td></tr>')}`,
    );
    expect(attempt(() => readGamePage(html))).toMatch(/"none": "Geen spellen"/);
    expect(readGamePage(html, { titles: { page: { matches: { none: 'Geen spellen' } } } }).matches).toEqual([]);
  });
});
