import { readBoardPage } from '../src/pages/read-board-page.parse.ts';
import { UnparseablePageError } from '../src/network/page-failures.ts';
import { boardPageHtml, scored } from './board-builder.ts';
import { page } from './page-builder.ts';

describe('readBoardPage', () => {
  /** The reading of a board with this header and row. */
  const readBoard = (headings: string[], cells: string[], after = '') =>
    readBoardPage(
      page(
        `<table class="table leaderboard"><thead><tr>${headings.map((each) => `<th>${each}</th>`).join('')}</tr></thead>` +
          `<tbody><tr>${cells.map((each) => `<td>${each}</td>`).join('')}</tr></tbody></table>${after}`,
      ),
    );

  it.each([
    ['Hi-Score', '1,000', '1,000'],
    ['Hiscore', '7', '7'],
    ['Wins', '7', '7'],
    ['Level', '<img src="/44.png" title="Level 44">', '44'],
    ['Score ▼', 'N/A', 'N/A'],
    ['Score', '12 <span class="badge">NEW</span>', '12'],
    ['Score', '<i>-5</i>', '-5'],
    ['Score', '<b>10</b>-<b>3</b>', '10-3'],
  ])('reads the ratings below the heading %s: %s', (heading, cell, rating) => {
    expect(readBoard(['Rank', 'Name', heading], ['1', 'Moss', cell])).toMatchObject({
      isTime: false,
      rows: [{ rank: 1, name: 'Moss', rating, timeMs: 0 }],
    });
  });

  it.each([
    '<img src="/gold.png" alt="1">',
    '🥇',
    '🥇 1',
    '<span>1</span> <span>🥇</span>',
    '🏆 #1',
    '🥇 1st',
    '1\uFE0F\u20E3',
    '№ 1',
    'Rank 1',
    '١',
    '=1',
    'T1',
    '1<sup>st</sup>',
  ])('reads the rank %s', (cell) => {
    expect(readBoard(['#', 'Player', 'Score'], [cell, 'Moss', '12']).rows).toMatchObject([{ rank: 1 }]);
  });

  it.each(['🥇 2', '🥇 🥈', '🏆', '1 🏆 2', '1 of 8', '1<sup>2</sup>', '<b>1</b> 🥇 <b>2</b>'])(
    'throws UnparseablePageError for the unclear rank %s',
    (cell) => {
      expect(() => readBoard(['#', 'Player', 'Score'], [cell, 'Moss', '12'])).toThrow(/rank/);
    },
  );

  it('does not take a page for the last one whose pages are numbered in Arabic digits', () => {
    const readBefore = (after: string) => readBoard(['Rank', 'Name', 'Score'], ['1', 'Moss', '12'], after);
    expect(() => readBefore('<p>Showing ١ to ١٠ of ٥٧ entries</p>')).toThrow(/a script loads it/);
    const pages = '<ul><li class="active"><a>١</a><li><a href="?page=2">٢</a></ul>';
    expect(readBefore(pages).hasNext).toBe(true);
  });

  it('derives times from raw ratings, and keeps the ratings as they are shown', () => {
    const html = boardPageHtml([scored(1, 'Moss', 0), scored(2, 'Fern', 0)], { valueWord: 'Score' })
      .replace('<td>0<', '<td>2147434347<')
      .replace('<td>0<', '<td>2147421302<');
    expect(readBoardPage(html)).toMatchObject({
      isTime: true,
      rows: [
        { rating: '2147434347', timeMs: 49_300 },
        { rating: '2147421302', timeMs: 62_345 },
      ],
    });
    expect(readBoardPage(html.replace('2147421302', '99'))).toMatchObject({ isTime: false, rows: [{ timeMs: 0 }, {}] });
  });

  it.each([
    ['two columns of scores', ['Rank', 'Name', 'Score', 'Points'], ['1', 'Moss', '12', '13']],
    ['two columns of names', ['Rank', 'Name', 'Gamertag', 'Score'], ['1', 'Moss', 'Fern', '12']],
    ['a date as time', ['Rank', 'Name', 'Score', 'Time'], ['1', 'Moss', '12', '2025-11-16 03:12:28']],
    ['a name that was not decoded', ['Rank', 'Name', 'Score'], ['1', 'Mo\uFFFDs', '12']],
    ['a score put together from two elements', ['Rank', 'Name', 'Score'], ['1', 'Moss', '12<sup>3</sup>']],
    ['a score with a signed number beside it', ['Rank', 'Name', 'Score'], ['1', 'Moss', '12 <small>+3</small>']],
  ])('throws UnparseablePageError for %s', (_, headings, cells) => {
    expect(() => readBoard(headings, cells)).toThrow(UnparseablePageError);
  });

  it.each([
    '<b class="clan">FOX</b> <a>Moss</a>',
    '<a>Moss</a> (2)',
    'by <a>Moss</a>',
    '<span>Moss</span><span class="ml-2">#1234</span>',
    '<span>Moss</span><span class="text-muted">#1234</span>',
    '<div class="flex gap-2"><b>Moss</b><b>EU</b></div>',
    '<div class="flex gap-2"><span>Moss</span><span>EU</span></div>',
  ])('throws UnparseablePageError for a cell with two elements that may be the name: %s', (cell) => {
    expect(() => readBoard(['Rank', 'Name', 'Score'], ['1', cell, '12'])).toThrow(/no readable name/);
  });

  it.each([
    'Moss <span class="badge">VIP</span>',
    '<i class="material-icons">person</i> Moss',
    'M<wbr>oss',
    '<a>M<ins>os</ins>s</a>',
    'Moss <span class="up">▲ 2</span>',
    '<span>Moss</span><span class="ms-2 text-muted">#1234</span>',
    '<div class="d-flex"><span>Moss</span><span class="text-secondary">#1234</span></div>',
    '<div class="hstack"><div>Moss</div><div class="ms-auto text-muted">EU</div></div>',
    '<div class="MuiAvatar-root">M</div>Moss',
  ])('reads the name of the cell %s', (cell) => {
    expect(readBoard(['Rank', 'Name', 'Score'], ['1', cell, '12']).rows).toMatchObject([{ name: 'Moss' }]);
  });

  it('leaves a change with an arrow out of ranks and scores, but not what a player is called or has scored', () => {
    const arrow = ' <small class="sub">↑ 120 today</small>';
    const rows = [
      ['1 <span>▲ 2</span>', '▲ Moss', `<div>12,345</div><div>▼ 3</div>`],
      ['2', '<a>Ember Fox</a>', `9,001${arrow}`],
      ['3', '<span>↑ 3</span>', '<span>▲ 7</span>'],
    ];
    const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
    const html = page(`<table><tr><th>Rank<th>Driver<th>Score</tr>${body}</table>`);
    expect(readBoardPage(html).rows).toMatchObject([
      { rank: 1, name: '▲ Moss', rating: '12,345' },
      { rank: 2, name: 'Ember Fox', rating: '9,001' },
      { rank: 3, name: '↑ 3', rating: '▲ 7' },
    ]);
  });

  it.each([
    ['<a href="?page=2" rel="next">›</a>', true],
    ['<li><a href="/b?page=2">Next »</a></li>', true],
    ['<a href="?page=2" aria-label="Next page">›</a>', true],
    ['<li class="disabled"><a href="?page=1">Next</a></li>', false],
    ['<ul><li class="active"><a>1</a><li><a href="?page=2">2</a></ul>', true],
    ['<ul><li><a href="?page=1">1</a><li class="active"><a>2</a></ul>', false],
    ['<p>Showing 1 to 1 of 1 entries</p><p>Page 1 of 1</p>', false],
    ['<p>Showing 101 to 101 of 101 entries</p>', false],
    ['<ul><li><a href="#">1</a><li class="active"><a href="#">2</a></ul>', false],
    ['<nav><a href="/cart">2</a> <a href="#">Contact</a></nav>', false],
    ['<ul class="pagination"><li><a href="#">1</a></ul>', false],
  ])('tells from %s whether a page follows: %s', (after, hasNext) => {
    expect(readBoard(['Rank', 'Name', 'Score'], ['1', 'Moss', '12'], after).hasNext).toBe(hasNext);
  });

  it.each([
    '<p>Showing 1 to 10 of 57 entries</p>',
    '<p>Page 1 of 3</p>',
    '<a href="#">Next</a>',
    '<button>Next</button>',
    '<button>Load more</button>',
    '<ul class="pagination"><li><a href="#">1</a><li><a href="#">2</a></ul>',
    '<div><b class="current">1</b> <button>2</button> <button>3</button></div>',
    '<div><button>٢</button> <button>٣</button></div>',
  ])('throws UnparseablePageError when a script loads the next page: %s', (after) => {
    expect(() => readBoard(['Rank', 'Name', 'Score'], ['1', 'Moss', '12'], after)).toThrow(/a script loads it/);
  });
});
