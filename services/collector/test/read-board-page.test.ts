import { page } from './page-builder.ts';
import { attempt, readBoardPage, refused, table, type Cells } from './read-pages.ts';

const SCORES = ['Rank', 'Name', 'Score'];
const TIMES = ['Rank', 'Name', 'Time'];
const scores = (...rows: readonly Cells[]) => table(SCORES, rows);
const times = (...values: readonly string[]) =>
  table(
    TIMES,
    values.map((value, index) => [String(index + 1), 'Ada', value]),
  );
const ada = scores(['1', 'Ada', '5']);
const READ = { isTime: false, rows: [{ rank: 1, name: 'Ada', rating: '5', timeMs: 0 }], hasNext: false };
const rowsOf = (...rows: readonly object[]) => ({ rows });

/** What is read of a leaderboard, or why it is refused. */
const read = (
  html: string,
  { entries = {}, formats = {}, ...all }: { entries?: object; formats?: object; hidden?: string; keep?: string } = {},
) => attempt(() => readBoardPage(page(html), { leaderboards: { page: { entries, formats } }, ...all }));

describe('a leaderboard', () => {
  it.each<[string, string, object?]>([
    ['scores', ada],
    ['a rank in any notation', scores(['#1', 'Ada', '5'], ['2nd', 'Moss', '4']), rowsOf({ rank: 1 }, { rank: 2 })],
    [
      'ties and missing ranks',
      scores(['1', 'Ada', '5'], ['1', 'Moss', '5'], ['4', 'Owl', '4']),
      rowsOf({}, { rank: 1 }, { rank: 4 }),
    ],
    [
      'ratings as shown',
      scores(['1', 'Ada', 'N/A'], ['2', 'Moss', '1,234']),
      rowsOf({ rating: 'N/A' }, { rating: '1,234' }),
    ],
    ['the heading before a rating', table(['Rank', 'Name', 'Points'], [['1', 'Ada', 'Points 5']])],
    [
      'a rating that begins as its heading',
      table(['Rank', 'Name', 'Points'], [['1', 'Ada', 'Points to me']]),
      rowsOf({ rating: 'Points to me' }),
    ],
    ['the text of a picture as rating', scores(['1', 'Ada', '<img title="5">'])],
    ['times', times('00:49.300', '1:02.345', '3:00:00.001', '49.3s'), { isTime: true }],
    [
      'raw times',
      scores(['1', 'Ada', '2147434347']),
      { isTime: true, rows: [{ rating: '2147434347', timeMs: 49_300 }] },
    ],
    [
      'a picture that is a character of a name',
      scores(['1', '<img class="emoji" alt="🔥">Ada', '5']),
      rowsOf({ name: '🔥Ada' }),
    ],
    [
      'names that look like others',
      scores(['1', '__proto__', '5'], ['2', '1942', '4']),
      rowsOf({ name: '__proto__' }, { name: '1942' }),
    ],
    ['a table beside it', table(['Region', 'Relays'], [['Europe', '3/4']]) + ada],
    [
      'the usual class, of two tables',
      ada.replace('Ada', 'Owl') + ada.replace('<table>', '<table class="x leaderboard">'),
    ],
    ['a notice', scores(['No records yet.', '', '']), { rows: [] }],
    ['a link to the next page', `${ada}<a href="?page=2" rel="nofollow Next">Next</a>`, { hasNext: true }],
    ['a link to the page before', `${ada}<a href="?page=2" rel="prev">Back</a>`],
  ])('is read with %s', (_, html, reading = READ) => {
    expect(read(html)).toMatchObject(reading);
  });

  it.each<[string, string, RegExp]>([
    ['no header', ada.replace(/<thead>.*<\/thead>/, ''), /no headings.*"order": \["rank","name","score"\]/],
    [
      'a header of other things',
      table(['Rank', 'Name', 'Car'], [['1', 'Ada', 'Audi']]),
      /"score" among .*"score": "Car"/,
    ],
    ['no name', table(['Rank', 'Flag', 'Score'], [['1', 'FI', '5']]), /no heading for "name"/],
    ['two tables', ada + ada, /2 tables.*"selector": "SELECTOR/],
    ['no table', '<p>Bad gateway</p>', /no leaderboard/],
    ['an unreadable time', times('DNF'), /"DNF".*no time/],
    ['half a time', times('00:4'), /no time/],
    ['more seconds than a minute has', times('1:75.000'), /no time/],
    ['a word as rank', scores(['first', 'Ada', '5']), /rank "first"/],
    ['a rank of zero', scores(['0', 'Ada', '5']), /rank "0"/],
    ['a medal', scores(['🥇', 'Ada', '5']), /rank "🥇"/],
    ['a medal as a picture', scores(['<img alt="1">', 'Ada', '5']), /rank ""/],
    ['ranks that fall', scores(['1', 'Ada', '5'], ['3', 'Moss', '4'], ['2', 'Owl', '3']), /fall from 3 to 2/],
    ['an empty name', scores(['1', ' ', '5']), /empty/],
    ['a name that is too long', scores(['1', 'x'.repeat(201), '5']), /too long/],
    ['a name that is cut', scores(['1', '<a title="Kestrel of the North">Kestrel of…</a>', '5']), /cut by the page/],
    ['a rating that is too long', scores(['1', 'Ada', '9'.repeat(101)]), /no readable score/],
    ['a picture without text', scores(['1', 'Ada', '<img src="/44.png">']), /no readable score/],
    ['two numbers', scores(['1', 'Ada', '481<sup>1</sup>']), /several elements/],
    ['a number and its unit', scores(['1', 'Ada', '24 <span class="badge">K</span>']), /several elements/],
    ['a cell missing', scores(['1', 'Ada']), /2 cells for 3 columns/],
    ['no rows', scores(), /a script may fill it.*"none"/],
    ['a notice of loading', scores(['Loading…']), /nothing but "Loading…".*"none"/],
    ['a notice that there are none', `<p>No entries yet.</p>${ada}`, /says "No entries yet."/],
    ['a table that is not closed', ada.replace('</table>', ''), /ends before|not closed/],
    ['rows that a script adds', ada.replace('<table>', '<table aria-rowcount="57">'), /a script adds them/],
  ])('is refused with %s', (_, html, reason) => {
    expect(read(html)).toEqual(refused(reason));
  });

  const both = table(['Rank', 'Name', 'Points', 'Lap'], [['1', 'Ada', '5', '00:49.300']]);
  it.each<[string, string, Parameters<typeof read>[1], object?]>([
    [
      'another heading',
      table(['#', 'Gamertag', 'Wins'], [['1', 'Ada', '5']]),
      { entries: { columns: { score: 'Wins' } } },
    ],
    [
      'total play time',
      table(['Rank', 'Name', 'Total Time'], [['1', 'Ada', '512h']]),
      { entries: { columns: { score: 'Total Time' } } },
      { isTime: false, rows: [{ rating: '512h' }] },
    ],
    ['times beside scores', both, { entries: { columns: { time: null } } }],
    [
      'scores beside times',
      both,
      { entries: { columns: { score: null } } },
      { isTime: true, rows: [{ timeMs: 49_300 }] },
    ],
    ['times in words', times('1m 02s 345ms'), { formats: { time: '{m}m {s}s {ms}ms' } }, rowsOf({ timeMs: 62_345 })],
    ['times with ticks', times(`1'23"456`), { formats: { time: `{m}'{s}"{f}` } }, rowsOf({ timeMs: 83_456 })],
    ['times without fractions', times('14:32'), { formats: { time: '{m}:{s}' } }, rowsOf({ timeMs: 872_000 })],
    [
      'an empty rank of a tie',
      scores(['1', 'Ada', '5'], ['', 'Moss', '5']),
      { entries: { blankRank: 'tie' } },
      rowsOf({}, { rank: 1 }),
    ],
    ['a later first rank', scores(['4', 'Ada', '5']), { entries: { startsAt: 'any' } }, rowsOf({ rank: 4 })],
    ['other ranks', scores(['No 1', 'Ada', '5']), { formats: { rank: 'No {rank}' } }],
    [
      'a table without headings',
      ada.replace(/<thead>.*<\/thead>/, ''),
      { entries: { order: ['rank', 'name', 'score'] } },
    ],
    [
      'a title before the name',
      scores(['1', '<span class="user-title">GM</span> <a>Ada</a>', '5']),
      { hidden: '.user-title' },
    ],
    ['a line below the rating', scores(['1', 'Ada', '5<br><small>Level 84</small>']), { hidden: 'small' }],
    ['a sign above the end of the name', scores(['1', 'Ada<sup>VIP</sup>', '5']), { hidden: 'sup' }],
    ['a struck name', scores(['1', '<s>Old</s>Ada', '5']), { hidden: 's' }],
    ['a flag before the name', scores(['1', '<img class="flag" alt="🇫🇮"> Ada', '5']), { hidden: '.flag' }],
    ['a change beside the rating', scores(['1', 'Ada', '5<b>(+120)</b>']), { hidden: 'td > b' }],
    [
      'a bar beside the rating',
      scores(['1', 'Ada', '<span class="bar">84%</span> <span>5</span>']),
      { hidden: '.bar' },
    ],
    [
      'a tag that is part of the name',
      scores(['1', 'Ada<i class="tag">#EUW</i>', '5']),
      { keep: '.tag' },
      rowsOf({ name: 'Ada#EUW' }),
    ],
  ])('is refused with %s, and read as described', (_, html, described, reading = READ) => {
    expect(read(html)).toEqual(refused(/Line for NETWORK_SOURCES_FILE/));
    expect(read(html, described)).toMatchObject(reading);
  });

  it('is refused on a page that is cut', () => {
    expect(attempt(() => readBoardPage(page(ada).replace('</html>', '')))).toEqual(refused(/ends before/));
  });
});
