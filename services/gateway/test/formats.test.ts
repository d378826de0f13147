import { operations, type RowFormat } from '@lobbystats/contracts';
import * as fc from 'fast-check';
import { renderRowChunks, renderRows } from '../src/formats/format-response.ts';
import { answer, listThings, render, text } from './listed-things.ts';
import { readCsv } from './read-csv.ts';

const COLUMNS = ['name', 'count', 'isTime', 'constructor', 'nested'];
const HEADER = 'name,count,isTime,constructor,nested\r\n';

const things = { operation: listThings, query: {} };

const FORMULA = new Set('=+-@＝＋－＠');
const BLANKS = new Set('\t\r\n');
const SEPARATORS = new Set(';\t|\r\n');

/** The expected cell of a text: an apostrophe wherever a formula could begin, quotes before it or not. */
function inert(plain: string): string {
  if (/^-\d+([.,]\d+)*$/.test(plain)) return plain;
  const units = plain.split('').map((character, index) => {
    const first = plain.slice(index).replace(/^"+/, '').charAt(0);
    const isFormula = SEPARATORS.has(plain.charAt(index - 1)) && FORMULA.has(first);
    return isFormula || (index === 0 && (FORMULA.has(character) || BLANKS.has(character)))
      ? `'${character}`
      : character;
  });
  return units.join('');
}

const cellsOf = (row: Record<string, unknown>) =>
  COLUMNS.map((column) => {
    const value = row[column];
    if (typeof value === 'string') return inert(value);
    if (value === null) return '';
    return typeof value === 'number' ? JSON.stringify(value) : inert(JSON.stringify(value));
  });

describe('CSV rows', () => {
  it('round-trip cell by cell, with formulas escaped', () => {
    fc.assert(
      fc.property(answer, (body) => {
        expect(readCsv(render('csv', JSON.stringify(body)))).toEqual([COLUMNS, ...body.rows.map(cellsOf)]);
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', '-1'],
    ['-1,234.5', '"-1,234.5"'],
    ['-1+1', "'-1+1"],
    ['-', "'-"],
    ['x;=1+1;y', "x;'=1+1;y"],
    ['x|-1', "x|'-1"],
    ['x\t@a', "x\t'@a"],
    ['a;;＝1', "a;;'＝1"],
    ['a;"=1', `"a;'""=1"`],
    ['a; b=1', 'a; b=1'],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['\n=1', `"'\n'=1"`],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['１＝1', '１＝1'],
    ['\ufeff=1', '\ufeff=1'],
    ['=a,"b"', `"'=a,""b"""`],
    ["'=1", "'=1"],
    [' =1', ' =1'],
    ['a=1', 'a=1'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['Grüße 🏁', 'Grüße 🏁'],
  ])('write the text %j as the cell %j', (name, cell) => {
    const row = { name, count: 1, isTime: true, constructor: 'c', nested: [] };
    expect(render('csv', JSON.stringify({ rows: [row] }))).toBe(`${HEADER}${cell},1,true,c,[]\r\n`);
  });

  it('have the columns of the schema in its order, whatever fields a row has', () => {
    const json =
      '{"rows":[{"nested":[],"constructor":"c","__proto__":{"name":"x"},"isTime":false,"other":1,"count":2,"name":"a"}]}';
    expect(render('csv', json)).toBe(`${HEADER}a,2,false,c,[]\r\n`);
  });

  it('have an empty cell for a missing field, even for a name on Object.prototype', () => {
    expect(render('csv', '{"rows":[{"name":"a"}]}')).toBe(`${HEADER}a,,,,\r\n`);
  });

  it('have a header without any row', () => {
    expect(render('csv', '{"rows":[]}')).toBe(HEADER);
  });

  it.each(['{"rows":[null]}', '{"rows":["a"]}'])('reject rows that are not objects: %s', (json) => {
    expect(() => render('csv', json)).toThrow('unavailable');
  });

  it.each([
    [9_007_199_254_740_991, '9007199254740991'],
    [1e21, '1e+21'],
    [0.1, '0.1'],
    [5e-324, '5e-324'],
    [-1.5, '-1.5'],
    [-1e21, '-1e+21'],
  ])('write the number %j as the cell %s', (count, cell) => {
    expect(render('csv', JSON.stringify({ rows: [{ name: 'a', count }] }))).toBe(`${HEADER}a,${cell},,,\r\n`);
  });
});

describe('text rows', () => {
  const names = (format: RowFormat, ...rows: string[]) =>
    renderRows(
      { operation: operations.listChangedGames, query: {}, format },
      Buffer.from(JSON.stringify(rows)),
    ).toString();

  it('have a name column in CSV and quote an empty text, because parsers skip empty lines', () => {
    expect(names('csv', 'Harbor Racing', '', 'a,b')).toBe('name\r\nHarbor Racing\r\n""\r\n"a,b"\r\n');
    expect(names('csv')).toBe('name\r\n');
  });

  it('round-trip through CSV', () => {
    fc.assert(
      fc.property(fc.array(text), (rows) => {
        expect(readCsv(names('csv', ...rows))).toEqual([['name'], ...rows.map((row) => [inert(row)])]);
      }),
    );
  });

  it('are one JSON string per line in NDJSON', () => {
    expect(names('ndjson', 'Harbor Racing', 'a"b\n')).toBe('"Harbor Racing"\n"a\\"b\\n"\n');
    expect(names('ndjson')).toBe('');
  });
});

describe('NDJSON rows', () => {
  it('are one line of JSON each', () => {
    fc.assert(
      fc.property(answer, (body) => {
        const lines = render('ndjson', JSON.stringify(body)).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines).toEqual(body.rows.map((row) => JSON.stringify(row)));
      }),
    );
  });
});

describe.each(['csv', 'ndjson'] as const)('JSON response rendered as %s', (format) => {
  const collect = async (chunks: Iterable<Uint8Array>) => {
    const parts: Uint8Array[] = [];
    async function* comeIn() {
      yield* chunks;
    }
    for await (const part of renderRowChunks({ ...things, format }, comeIn())) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  it('may arrive in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(answer, fc.infiniteStream(fc.nat(40)), async (body, lengths) => {
        const json = JSON.stringify(body);
        let rest = Buffer.from(json);
        const pieces: Buffer[] = [];
        for (const length of lengths) {
          if (rest.length === 0) break;
          pieces.push(rest.subarray(0, length));
          rest = rest.subarray(length);
        }
        expect(await collect(pieces)).toBe(render(format, json));
      }),
    );
  });

  it('may contain insignificant white space', () => {
    fc.assert(
      fc.property(answer, fc.constantFrom(' ', '\t', '\r\n'), (body, space) => {
        const spaced = JSON.stringify(body, null, 1).replaceAll('\n', `${space}\n`);
        expect(render(format, spaced)).toBe(render(format, JSON.stringify(body)));
      }),
    );
  });

  it('is rejected when it is truncated at any byte', async () => {
    const json = JSON.stringify({
      about: 'rows',
      rows: [
        { name: 'a', count: 1, isTime: true, constructor: '\\"', nested: [] },
        { name: 'b,c', count: null, isTime: false, constructor: '', nested: ['}'] },
      ],
    });
    for (let length = 0; length < json.length; length += 1) {
      expect(() => render(format, json.slice(0, length))).toThrow('unavailable');
      await expect(collect([Buffer.from(json.slice(0, length))])).rejects.toThrow('unavailable');
    }
  });

  it.each([
    'null',
    '[]',
    '{}',
    '{"rows":{}}',
    '{"rows":null}',
    '{"row":[]}',
    '{"about":{"rows":[]}}',
    '{"about":}',
    '{"rows":[,]}',
    '{"rows":[{}{}]}',
    '{"rows" []}',
    '{"rows":[]}]',
    '<html>',
  ])('is rejected when it is %s', async (json) => {
    expect(() => render(format, json)).toThrow('unavailable');
    await expect(collect([Buffer.from(json)])).rejects.toThrow('unavailable');
  });

  it('is read no faster than its rows are consumed', async () => {
    let chunkCount = 0;
    async function* comeIn() {
      yield Buffer.from('{"rows":[{}');
      for (;;) {
        chunkCount += 1;
        yield Buffer.from(',{"name":"a"}');
      }
    }
    const parts = renderRowChunks({ ...things, format }, comeIn());
    for (let taken = 0; taken < 10; taken += 1) await parts.next();
    expect(chunkCount).toBeLessThanOrEqual(10);
    await parts.return();
  });

  it('is rejected instead of being buffered when a row never ends', async () => {
    let taken = 0;
    function* endless() {
      yield Buffer.from('{"rows":[{"name":"');
      for (;;) {
        taken += 1;
        yield Buffer.alloc(64 * 1024, 'x');
      }
    }
    await expect(collect(endless())).rejects.toThrow('unavailable');
    expect(taken).toBeLessThan(10);
  });

  it('may be nested 100,000 levels deep', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const json = `{"about":${deep},"rows":[]}`;
    expect(render(format, json)).toBe(format === 'csv' ? HEADER : '');
  });
});
