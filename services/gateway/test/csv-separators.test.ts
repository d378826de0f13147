import * as fc from 'fast-check';
import { answer, render } from './listed-things.ts';

/** The cells of CSV as a spreadsheet of another locale reads them: only a quote at the start of a cell has a meaning. */
function cellsBySeparator(csv: string, separator: string): string[] {
  const cells: string[] = [];
  let rest = csv;
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"?/.exec(rest);
    const tail = rest.slice(quoted?.[0].length ?? 0);
    const end = tail.search(new RegExp(`[\\${separator}\r\n]`));
    cells.push((quoted?.[1]?.replaceAll('""', '"') ?? '') + (end === -1 ? tail : tail.slice(0, end)));
    rest = end === -1 ? '' : tail.slice(end + 1);
  }
  return cells;
}

const hostile = (name: string) => ({ name, count: null, isTime: true, constructor: name, nested: [name] });

describe('CSV in a spreadsheet of any locale', () => {
  it.each([';', '\t', '|', ','])('has no cell that begins a formula when %j separates the cells', (separator) => {
    fc.assert(
      fc.property(answer, ({ rows, ...rest }) => {
        const texts = rows.map((row) => ({ ...row, count: null }));
        const cells = cellsBySeparator(render('csv', JSON.stringify({ ...rest, rows: texts })), separator);
        expect(cells.filter((one) => /^[=+\-@＝＋－＠]/.test(one) && !/^-\d+([.,]\d+)*,*/.test(one))).toEqual([]);
      }),
      { examples: [[{ about: '', total: 1, rows: [hostile('x;"=1+1";y'), hostile('a\n=1'), hostile('";=2')] }]] },
    );
  });
});
