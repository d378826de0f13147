import { page } from './page-builder.ts';
import { attempt, games, homepage, readBoardPage, readHomepage, table } from './read-pages.ts';

const MORE: [sign: string, html: string][] = [
  ['a link of the kind next', '<a rel="next" href="/p2">›</a>'],
  ['a picture that says next', '<a href="#"><img src="/n.gif" alt="Next page"></a>'],
  ['a label that says next', '<button aria-label="Go to next page">…</button>'],
  ['a word of another language', '<a href="#">Weiter</a>'],
  ['a page in a link', '<a href="?p=2"><img src="/right.gif" alt=""></a>'],
  ['numbers of pages', '<span>1</span> <a href="#">2</a>'],
  ['ranges of ranks', '<a href="#">1-2</a> <a href="#">3-4</a>'],
  ['a button that loads more', '<button>Load more</button>'],
  ['an element that loads more', '<div hx-get="/rows?from=3"></div>'],
  ['a number in any parameter', '<a href="?s=2">Go on</a>'],
  ['the name of a page', '<a href="#">Page 2</a>'],
  ['a word for later rows', '<a href="#">Older</a>'],
  ['a range of players', '<a href="#">Next 50 players</a>'],
  ['a word for all', '<a href="/full">View full leaderboard</a>'],
  ['a class alone', '<a class="pager-next" href="#"><img src="/n.gif"></a>'],
  ['an arrow of an icon font', '<a href="#"><i class="fa fa-angle-right"></i></a>'],
  ['a script', '<span onclick="go(2)">Next</span>'],
  ['a picture that sends a form', '<input type="image" alt="Next" src="/n.gif">'],
  ['a button of another language', '<button>Mehr anzeigen</button>'],
];
const STATED: [sign: string, html: string][] = [
  ['a sentence', '<p>Showing 1 to 2 of 57 entries</p>'],
  ['a count of pages', '<p>Page 1 of 19</p>'],
  ['a count', '<p>Showing 2 of 57 games</p>'],
  ['a count of anything', '<p>2 of 57</p>'],
  ['a count of entries', '<p>57 entries</p>'],
  ['a rest', '<p>… and 55 more</p>'],
  ['a list of pages', '<select><option>1<option>2<option>3</select>'],
];
const other = `<h2>News</h2>${table(['Date', 'News'], [['today', 'Patch']])}`;

describe('a sign of more pages', () => {
  const rows = [
    ['1', 'Kestrel', '500'],
    ['2', 'Ada', '400'],
  ];
  const scores = table(['Rank', 'Name', 'Score'], rows);

  it.each(MORE)('refuses the page that has %s below its table, and none in another section', (_, sign) => {
    const none = { homepage: { page: { pages: 'none' } } };
    expect(attempt(() => readHomepage(homepage(games + sign)))).toMatch(/more pages: .*"pages": "none"/);
    expect(attempt(() => readHomepage(homepage(games + other + sign)))).toMatchObject({ online: 481 });
    expect(attempt(() => readHomepage(homepage(games + sign), none))).toMatchObject({ online: 481 });
  });

  it.each(STATED)('refuses the page that has %s, whatever its description says of pages', (_, sign) => {
    const none = { homepage: { page: { pages: 'none' } } };
    expect(attempt(() => readHomepage(homepage(games + sign)))).toMatch(/more pages: "?[^{]*$/);
    expect(attempt(() => readHomepage(homepage(games + other + sign)))).toMatchObject({ online: 481 });
    expect(attempt(() => readHomepage(homepage(games + sign), none))).toMatch(/more pages/);
  });

  it.each([
    ['above its heading', (html: string) => `<a href="?page=2">2</a><h2>Best</h2>${html}`],
    ['below another heading', (html: string) => `${html}<h2>More</h2><a href="?page=2">2</a>`],
  ])('refuses a leaderboard with a pager %s', (_, around) => {
    expect(attempt(() => readBoardPage(page(around(scores))))).toMatch(/more pages/);
  });

  it.each([...MORE.slice(1), ...STATED])('refuses a leaderboard that has %s, and no description of it', (_, sign) => {
    expect(attempt(() => readBoardPage(page(scores + sign)))).toMatch(/more pages/);
  });

  it('is followed as the description says', () => {
    const html = page(`${scores}<a class="fwd" href="?p=2">Weiter</a>`);
    const paged = (pages: object) => ({ leaderboards: { page: { pages } } });
    expect(readBoardPage(html, paged({ next: 'a.fwd' })).hasNext).toBe(true);
    expect(readBoardPage(html.replace('fwd', 'fwd disabled'), paged({ next: 'a.fwd' })).hasNext).toBe(false);
    expect(readBoardPage(html, paged({ rows: 2 })).hasNext).toBe('perhaps');
    expect(readBoardPage(html, paged({ rows: 3 })).hasNext).toBe('perhaps');
    expect(readBoardPage(page(scores), paged({ rows: 3 })).hasNext).toBe(false);
    expect(readBoardPage(page(scores.replace('<td>2', '<td>3')), paged({ rows: 3 })).hasNext).toBe('perhaps');
    expect(attempt(() => readBoardPage(html, paged({ rows: 1 })))).toMatch(/more than a whole page/);
  });

  it('has no meaning but for leaderboards: games of several pages are refused', () => {
    const html = homepage(`${games}<a class="fwd" href="?p=2">Weiter</a>`);
    for (const pages of [{ next: 'a.fwd' }, { rows: 2 }]) {
      expect(attempt(() => readHomepage(html, { homepage: { page: { pages } } }))).toMatch(/on several pages/);
    }
  });

  it('is none on the last page', () => {
    const last = `${table(['Rank', 'Name', 'Score'], [['3', 'Moss', '9']])}<a href="?page=2">2</a> <a rel="prev" href="?page=2">Back</a>
      <p>Page 3 of 3</p><p>Showing 3 to 3 of 3</p><a class="disabled">Next</a>`;
    expect(readBoardPage(page(last), {}, { page: 3 })).toMatchObject({ hasNext: false });
  });
});
