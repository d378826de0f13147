import type { ObservedEntry } from '@lobbystats/contracts';
import fc from 'fast-check';
import { readBoardPage } from './read-pages.ts';
import { UnparseablePageError } from '../src/network/page-failures.ts';
import { boardPageHtml, plainBoard, scored, timed, type BoardStyle } from './board-builder.ts';
import { page, UNSEEN } from './page-builder.ts';

const rows = [timed(1, 'Ember Fox', 49_300), timed(2, 'Old Salt', 61_005), timed(2, 'Ember Fox', 61_005)];

const playerName = fc
  .oneof(
    fc.constantFrom('__proto__', 'constructor', '1942', '00:49.300', '<b>', 'Salt & Sabre', 'Rank', 'x'.repeat(200)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  )
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '' && !UNSEEN.test(text) && text.isWellFormed() && !text.includes('\0'));

const timeRows = fc
  .array(fc.tuple(playerName, fc.nat(3_599_999)), { maxLength: 8 })
  .map((all) => all.map(([name, timeMs], index) => timed(index + 1, name, timeMs)));
const scoreRows = fc
  .array(fc.tuple(playerName, fc.nat(2_000_000_000)), { maxLength: 8 })
  .map((all) => all.map(([name, score], index) => scored(index + 1, name, score)));

const boardStyle = (words: string[]): fc.Arbitrary<BoardStyle> =>
  fc.record({
    columns: fc.shuffledSubarray(['rank', 'name', 'value', 'other'] as BoardStyle['columns'][number][], {
      minLength: 4,
    }),
    valueWord: fc.constantFrom(...words),
    head: fc.boolean(),
    terse: fc.boolean(),
    attribute: fc.constantFrom('', ' class="text-right x"', " data-v-1f='2'", ' width=40'),
    space: fc.constantFrom('', ' ', '\n   ', '&nbsp;'),
  });
const timeStyle = boardStyle(['Time', 'LAP', 'Best time', 'best lap']);
const scoreStyle = boardStyle(['Score', 'rating', 'Kudos', 'POINTS']);

/** The reading of a page; undefined when it is rejected. */
function unlessRefused(html: string): unknown {
  try {
    return readBoardPage(html);
  } catch (error) {
    if (error instanceof UnparseablePageError) return undefined;
    throw error;
  }
}

describe('readBoardPage', () => {
  it('reads the same rows from any markup and column order', () => {
    const either = fc.oneof(
      fc.tuple(timeRows, timeStyle, fc.constant(true)),
      fc.tuple(scoreRows, scoreStyle, fc.constant(false)),
    );
    fc.assert(
      fc.property(either, fc.boolean(), ([boardRows, style, isTime], hasNext) => {
        expect(readBoardPage(boardPageHtml(boardRows, { ...style, hasNext }))).toEqual({
          isTime,
          rows: boardRows,
          hasNext,
        });
      }),
      { numRuns: 100 },
    );
  });

  it('reads a truncated page completely or throws', () => {
    fc.assert(
      fc.property(timeRows, timeStyle, fc.double({ min: 0, max: 1, noNaN: true }), (boardRows, style, part) => {
        const html = boardPageHtml(boardRows, { ...style, hasNext: true });
        const cut = html.slice(0, Math.floor(html.length * part));
        expect([undefined, { isTime: true, rows: boardRows, hasNext: true }]).toContainEqual(unlessRefused(cut));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['a truncated end', (html: string) => html.replace('</html>', '')],
    ['a table that isn’t closed', (html: string) => html.replace('</table>', '')],
    ['no header', (html: string) => html.replace(/<thead>.*<tbody>/, '')],
    ['a header of other things', (html: string) => html.replace('Time', 'Car')],
    ['no heading of the name column', (html: string) => html.replace('NAME', 'Flag')],
    ['an invalid time', (html: string) => html.replace('00:49.300', 'DNF')],
    ['half a time', (html: string) => html.replace('00:49.300', '00:4')],
    ['an invalid rank', (html: string) => html.replace('<td>1</td>', '<td>first</td>')],
    ['a rank of zero', (html: string) => html.replace('<td>1</td>', '<td>0</td>')],
    ['a row without a name', (html: string) => html.replace('Old Salt', ' ')],
    ['a name that is too long', (html: string) => html.replace('Old Salt', 'x'.repeat(201))],
    ['a cell missing', (html: string) => html.replace('<td>Old Salt</td>', '')],
    ['no table at all', () => page('<p>Bad gateway</p>')],
    ['two leaderboards', (html: string) => html.replace(/<table.*<\/table>/s, (table) => table + table)],
  ])('throws UnparseablePageError for %s', (_, change) => {
    const html = boardPageHtml(rows);
    expect(change(html)).not.toBe(html);
    expect(() => readBoardPage(change(html))).toThrow(UnparseablePageError);
  });

  it('throws UnparseablePageError when a score row has a missing cell', () => {
    const style = { columns: ['rank', 'name', 'value', 'other'], valueWord: 'Score' } as const;
    const html = boardPageHtml([scored(1, 'Ember Fox', 12_345)], style);
    expect(readBoardPage(html)).toEqual({ isTime: false, rows: [scored(1, 'Ember Fox', 12_345)], hasNext: false });
    expect(() => readBoardPage(html.replace('<td>12,345</td>', ''))).toThrow(/cells for 4 columns|no readable score/);
  });

  it('returns no rows when the table has a notice instead of rows', () => {
    expect(readBoardPage(boardPageHtml([]))).toEqual({ isTime: true, rows: [], hasNext: false });
  });

  it.each([
    ['has no rows', ''],
    ['is being loaded', '<tr><td colspan="3">Loading…</td></tr>'],
    ['asks for a script', '<tr><td colspan="3">No records without JavaScript.</td></tr>'],
  ])('throws UnparseablePageError when the table %s', (_, content) => {
    const html = boardPageHtml([]).replace(/<tr><td colspan.*<\/tr>/s, content);
    expect(() => readBoardPage(html)).toThrow(/"none"/);
  });

  it('reads ratings verbatim, ranks in any notation, and ties', () => {
    const html = boardPageHtml(rows).replace('<td>1</td>', '<td>#1</td>').replace('<td>2</td>', '<td>2nd</td>');
    expect(readBoardPage(html).rows).toEqual(rows);
  });

  it('finds the leaderboard by its header when the table class is missing', () => {
    const html = boardPageHtml(rows).replace('class="table leaderboard"', 'class="x"');
    expect(
      readBoardPage(html.replace('<h1>', '<table><tr><th>Region<th>Relays<tr><td>Europe<td>3/4</table><h1>')).rows,
    ).toEqual(rows);
  });

  it('refuses scores beside times, unless the description says which of them counts', () => {
    const both = boardPageHtml([timed(1, 'Ember Fox', 49_300)], {
      columns: ['rank', 'name', 'value', 'other'],
      valueWord: 'Lap',
    })
      .replace('Car', 'Points')
      .replace('Audi', '1,234');
    const without = (field: string) => ({ leaderboards: { page: { entries: { columns: { [field]: null } } } } });
    expect(() => readBoardPage(both)).toThrow(/scores and times: "Points", "Lap".*"time": null.*"score": null/);
    expect(readBoardPage(both, without('score'))).toMatchObject({ isTime: true, rows: [{ timeMs: 49_300 }] });
    expect(readBoardPage(both, without('time'))).toMatchObject({ isTime: false, rows: [{ rating: '1,234' }] });
  });

  it('handles hostile names, nesting and ratings', () => {
    const hostile: ObservedEntry[] = [scored(1, '__proto__', 1)];
    expect(readBoardPage(boardPageHtml(hostile, { valueWord: 'Score' })).rows).toEqual(hostile);
    expect(() => readBoardPage('<div>'.repeat(100_000))).toThrow(UnparseablePageError);
    expect(() =>
      readBoardPage(
        boardPageHtml([{ ...scored(1, 'x', 1), rating: '9'.repeat(10_000) }], { ...plainBoard, valueWord: 'Score' }),
      ),
    ).toThrow(UnparseablePageError);
  });
});
