import { page } from './page-builder.ts';
import { attempt, readBoardPage, table, type Cells } from './read-pages.ts';

describe('a leaderboard', () => {
  const board = (headings: Cells, rows: readonly Cells[], tag?: string) => page(table(headings, rows, tag));
  const shown = (html: string, entries: object = {}, formats: object = {}, all: object = {}) =>
    attempt(() => readBoardPage(html, { leaderboards: { page: { entries, formats } }, ...all }));
  const ratings = (...values: readonly string[]) => ({ rows: values.map((rating) => ({ rating })) });

  it.each([
    [
      'another heading',
      ['#', 'Gamertag', 'Wins'],
      [['1', 'Ada', '12']],
      { columns: { score: 'Wins' } },
      {},
      ratings('12'),
    ],
    [
      'the picture of a level',
      ['Rank', 'Name', 'Level'],
      [['1', 'Ada', '<img title="Level 44">']],
      { columns: { score: 'Level' } },
      {},
      ratings('44'),
    ],
    [
      'total play time as a score',
      ['Rank', 'Name', 'Total Time'],
      [['1', 'Ada', '512h 10m']],
      { columns: { score: 'Total Time' } },
      {},
      { isTime: false, ...ratings('512h 10m') },
    ],
    [
      'times in words',
      ['Rank', 'Name', 'Time'],
      [['1st', 'Ada', '1m 02s 345ms']],
      {},
      { time: '{m}m {s}s {ms}ms' },
      { isTime: true, rows: [{ timeMs: 62_345 }] },
    ],
    [
      'times with ticks',
      ['Rank', 'Name', 'Time'],
      [['1', 'Ada', `1'23"456`]],
      {},
      { time: `{m}'{s}"{f}` },
      { isTime: true, rows: [{ timeMs: 83_456 }] },
    ],
    [
      'times without fractions',
      ['Rank', 'Name', 'Time'],
      [['1', 'Ada', '14:32']],
      {},
      { time: '{m}:{s}' },
      { rows: [{ timeMs: 872_000 }] },
    ],
    [
      'an empty rank of a tie',
      ['Rank', 'Name', 'Score'],
      [
        ['1', 'Ada', '5'],
        ['', 'Moss', '5'],
        ['3', 'Fern', '4'],
      ],
      { blankRank: 'tie' },
      {},
      { rows: [{ rank: 1 }, { rank: 1 }, { rank: 3 }] },
    ],
    [
      'a later first rank',
      ['Rank', 'Name', 'Score'],
      [['4', 'Ada', '5']],
      { startsAt: 'any' },
      {},
      { rows: [{ rank: 4 }] },
    ],
    [
      'other ranks',
      ['Rank', 'Name', 'Score'],
      [['No 1', 'Ada', '5']],
      {},
      { rank: 'No {rank}' },
      { rows: [{ rank: 1 }] },
    ],
  ] as [string, Cells, Cells[], object, object, object][])(
    'is refused with %s, and read as described',
    (_, headings, rows, entries, formats, reading) => {
      const html = board(headings, rows);
      expect(shown(html)).toEqual(expect.stringMatching(/Line for NETWORK_SOURCES_FILE.*"leaderboards": \{ "page"/));
      expect(shown(html, entries, formats)).toMatchObject(reading);
    },
  );

  it.each([
    ['a title before the name', ['1', '<span class="user-title">GM</span> <a>Ada</a>', '5'], { hidden: '.user-title' }],
    ['a line below the rating', ['1', 'Ada', '5<br><small>Level 84</small>'], { hidden: 'small' }],
    ['a sign above the end of the name', ['1', 'Ada<sup>VIP</sup>', '5'], { hidden: 'sup' }],
    ['a struck name before the name', ['1', '<s>Old</s>Ada', '5'], { hidden: 's' }],
    ['a mark with a class before the name', ['1', '<b class="lvl">GM</b>Ada', '5'], { hidden: '.lvl' }],
    ['a tag that touches the name', ['1', 'Ada<span class="tag">#EUW</span>', '5'], { hidden: '.tag' }],
    ['a flag before the name', ['1', '<img class="flag" alt="🇫🇮"> Ada', '5'], { hidden: '.flag' }],
    ['a change above the rating', ['1', 'Ada', '5<sup>▲2</sup>'], { hidden: 'sup' }],
    ['a change in brackets', ['1', 'Ada', '5<b>(+120)</b>'], { hidden: 'td > b' }],
    ['a struck rating', ['1', 'Ada', '<s>4pts</s>5'], { hidden: 's' }],
    ['a tag that is part of the name', ['1', 'Ada<i class="tag">#EUW</i>', '5'], { keep: '.tag' }, 'Ada#EUW'],
    ['a bar beside the rating', ['1', 'Ada', '<span class="bar">84%</span> <span>5</span>'], { hidden: '.bar' }],
  ] as [string, Cells, object, string?][])(
    'is refused with %s, and read as described',
    (_, cells, all, name = 'Ada') => {
      const html = board(['Rank', 'Name', 'Score'], [cells]);
      expect(shown(html)).toEqual(expect.any(String));
      expect(shown(html, {}, {}, all)).toMatchObject({ rows: [{ rank: 1, name, rating: '5' }] });
    },
  );

  it('is read with a picture that stands for a character of a name', () => {
    const html = board(['Rank', 'Name', 'Score'], [['1', '<img class="emoji" alt="🔥">Ada', '5']]);
    expect(shown(html)).toMatchObject({ rows: [{ name: '🔥Ada' }] });
  });

  it.each([
    ['a name that the page cuts', ['1', '<a title="Kestrel of the North">Kestrel of…</a>', '5']],
    ['a number in short beside its unit', ['1', 'Ada', '24 <span class="badge">K</span>']],
    ['a notice that there are none', ['1', 'Ada', '5'], '<p>No entries yet.</p>'],
    ['two numbers', ['1', 'Ada', '481<sup>1</sup>']],
    ['a medal', ['🥈 2', 'Ada', '5']],
    ['a picture without text', ['1', 'Ada', '<img src="/44.png">']],
  ] as [string, Cells, string?][])('is refused with %s', (_, cells, beside = '') => {
    expect(shown(page(beside + table(['Rank', 'Name', 'Score'], [cells])))).toEqual(expect.any(String));
  });

  it('is read without headings in a described order', () => {
    const html = board(['Rank', 'Name', 'Score'], [['1', 'Ada', '5']]).replace(/<thead>.*<\/thead>/, '');
    expect(shown(html)).toMatch(/no headings.*"order": \["rank","name","score"\]/);
    expect(shown(html, { order: ['rank', 'name', 'score'] })).toMatchObject({ rows: [{ name: 'Ada', rating: '5' }] });
  });

  it('is refused when its ranks fall', () => {
    expect(
      shown(
        board(
          ['Rank', 'Name', 'Score'],
          [
            ['1', 'Ada', '5'],
            ['3', 'Moss', '4'],
            ['2', 'Fern', '3'],
          ],
        ),
      ),
    ).toMatch(/fall from 3 to 2/);
  });

  it('is read with its podium, whose columns may stand in another order', () => {
    const rest = table(['Rank', 'Name', 'Score'], [['2', 'Moss', '4']]);
    const html = page(`<h2>Podium</h2>${table(['Name', 'Score', 'Rank'], [['Ada', '5', '1']])}<h2>All</h2>${rest}`);
    expect(shown(html)).toMatch(/2 tables/);
    expect(shown(html, { podium: { section: 'Podium' } })).toMatchObject({ rows: [{ name: 'Ada' }, { name: 'Moss' }] });
  });
});
