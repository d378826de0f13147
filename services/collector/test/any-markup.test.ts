import fc from 'fast-check';
import { boardPageHtml, scored, timed, type BoardStyle } from './board-builder.ts';
import { game, gamePageHtml, homepageHtml, listing, style, UNSEEN, type Game, type Listing } from './page-builder.ts';
import { attempt, readBoardPage, readGamePage, readHomepage } from './read-pages.ts';

/** A page, and what a person reads on it. */
interface Shown {
  html: string;
  reading: unknown;
}

const productOf = ({ registered, online, titles }: Listing, icons: boolean) => ({
  registered,
  online,
  titles: titles.map(({ sessions, players, ...title }) => ({
    ...title,
    productCode: 'MS-074',
    image: icons ? `https://network.example/icons/${title.titleId}.svg` : '',
    activity: { sessions, players },
  })),
});
const gameOf = ({ title, publisher, matches }: Game) => ({
  matches,
  metadata: { title, publisher, releaseDate: '2001-11-15' },
  boards: [{ id: 1, name: 'Time' }],
});

const playerName = fc
  .oneof(
    fc.constantFrom('__proto__', 'constructor', '1942', '00:49.300', '<b>', 'Salt & Sabre', 'Rank', 'x'.repeat(200)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  )
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '' && !UNSEEN.test(text) && text.isWellFormed() && !text.includes('\0'));
const entries = (max: number) => fc.array(fc.tuple(playerName, fc.nat(max)), { maxLength: 8 });
const columns = ['rank', 'name', 'value', 'other'] as BoardStyle['columns'][number][];
const boardStyle = (...words: string[]): fc.Arbitrary<BoardStyle> =>
  fc.record({
    columns: fc.shuffledSubarray(columns, { minLength: 4 }),
    valueWord: fc.constantFrom(...words),
    head: fc.boolean(),
    terse: fc.boolean(),
    attribute: fc.constantFrom('', ' class="text-right x"', " data-v-1f='2'", ' width=40'),
    space: fc.constantFrom('', ' ', '\n   ', '&nbsp;'),
  });
const boardOf = (isTime: boolean) =>
  fc
    .tuple(
      entries(isTime ? 3_599_999 : 2_000_000_000),
      isTime ? boardStyle('Time', 'LAP', 'Best time', 'best lap') : boardStyle('Score', 'rating', 'Kudos', 'POINTS'),
      fc.boolean(),
    )
    .map(([all, written, hasNext]): Shown => {
      const rows = all.map(([name, value], index) => (isTime ? timed : scored)(index + 1, name, value));
      return { html: boardPageHtml(rows, { ...written, hasNext }), reading: { isTime, rows, hasNext } };
    });

const PAGES: [string, (html: string) => unknown, fc.Arbitrary<Shown>][] = [
  [
    'a homepage',
    readHomepage,
    fc.tuple(listing, style).map(([values, written]) => ({
      html: homepageHtml(values, written),
      reading: productOf(values, written.icons),
    })),
  ],
  [
    'a game page',
    readGamePage,
    fc.tuple(game, style).map(([values, written]) => ({
      html: gamePageHtml(values, { ...written, header: true }),
      reading: gameOf(values),
    })),
  ],
  ['a leaderboard', readBoardPage, fc.oneof(boardOf(true), boardOf(false))],
];

describe.each(PAGES)('%s', (_, read, shown) => {
  it('has the same values in any markup, number format and order of columns', () => {
    fc.assert(
      fc.property(shown, ({ html, reading }) => {
        expect(read(html)).toEqual(reading);
      }),
      { numRuns: 100 },
    );
  });

  it('is read completely or refused when it is cut anywhere', () => {
    fc.assert(
      fc.property(shown, fc.double({ min: 0, max: 1, noNaN: true }), ({ html, reading }, part) => {
        const cut = attempt(() => read(html.slice(0, Math.floor(html.length * part))));
        expect(typeof cut === 'string' ? reading : cut).toEqual(reading);
      }),
      { numRuns: 100 },
    );
  });
});
