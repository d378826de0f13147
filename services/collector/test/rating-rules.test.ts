import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { readSourcesFile, sourceForms } from '../src/sources/client/sources.node.ts';
import { parseText, type Parse } from '../src/sources/parsing/parsers.node.ts';

const HARBOR = '4d530064';
const parse = (async (parser, body, context) =>
  parseText({ ...context, parser: parser as 'board' }, String(body))) as Parse;

function fileOf(content: object) {
  const path = join(temporaryDirectory(), 'sources.json');
  writeFileSync(path, JSON.stringify(content));
  return readSourcesFile(path);
}

/** Reads a leaderboard of a title by the rules. */
async function read(titleId: string, html: string, ratings: object, sources: object = {}) {
  const parts = { parse, networkUrl: 'http://127.0.0.1:1', publicUrl: 'http://127.0.0.1:1' };
  const forms = sourceForms(fileOf({ ratings, ...sources }), parts);
  return forms.leaderboards!.read(html, { titleId, leaderboardId: 1, page: 1 }, 0);
}

const board = (heading: string, ...cells: readonly string[]) =>
  `<!DOCTYPE html><html><body><table><tr><th>Rank</th><th>Name</th><th>${heading}</th></tr>${cells
    .map(
      (cell, index) =>
        `<tr><td>${index + 1}</td><td>Player ${String.fromCharCode(65 + index)}</td><td>${cell}</td></tr>`,
    )
    .join('')}</table></body></html>`;

describe('a rule of a title', () => {
  const raw = { [HARBOR]: { rawTime: { from: 1_000_000, times: -10 } } };

  it('makes times of its raw scores, and shows the numbers', async () => {
    expect(await read(HARBOR, board('Score', '95070', '93899'), raw)).toMatchObject({
      isTime: true,
      rows: [
        { rating: '95070', timeMs: 49_300 },
        { rating: '93899', timeMs: 61_010 },
      ],
    });
    expect(await read('4d530065', board('Score', '95070'), raw)).toMatchObject({ isTime: false });
  });

  it('leaves scores that are no such times, and times that are shown', async () => {
    expect(await read(HARBOR, board('Score', '95070', '100001'), raw)).toMatchObject({
      isTime: false,
      rows: [{ timeMs: 0 }, { timeMs: 0 }],
    });
    expect(await read(HARBOR, board('Time', '00:49.300'), raw)).toMatchObject({ rows: [{ timeMs: 49_300 }] });
  });

  it('makes times of the scores of JSON', async () => {
    const leaderboards = { url: '/b', reading: { entries: { each: '', name: '/n', score: '/s' } } };
    const json = JSON.stringify([{ n: 'Ember', s: 95_070 }]);
    expect(await read(HARBOR, json, raw, { leaderboards })).toMatchObject({ isTime: true, rows: [{ timeMs: 49_300 }] });
    expect(await read('4d530065', json, raw, { leaderboards })).toMatchObject({ isTime: false });
  });

  it.each([
    [{ halo: {} }, /ratings/],
    [{ [HARBOR]: { rawTime: { from: '1' } } }, /rawTime/],
    [{ [HARBOR]: { times: 3 } }, /times/],
  ])('is refused as %j', (ratings, reason) => {
    expect(() => fileOf({ ratings })).toThrow(reason);
  });
});
