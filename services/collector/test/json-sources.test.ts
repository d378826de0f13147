import type { GamePageReading } from '../src/network/network.ts';
import { parseText } from '../src/sources/parsing/parsers.node.ts';

describe('a source of JSON', () => {
  const entries = { each: '/rows', rank: '/rank', name: '/name', score: '/score', time: '/time' };
  const readBoard = (rows: string) =>
    parseText({ parser: 'boardEntries', template: { entries } }, `{"rows":[${rows}]}`) as { rows: object[] };

  it('has scores digit for digit, and ranks that are texts', () => {
    const rows = '{"rank":"1","name":"Ada","score":9007199254740993},{"rank":"2","name":"Moss","score":1e21}';
    expect(readBoard(rows).rows).toEqual([
      { rank: 1, name: 'Ada', rating: '9007199254740993', timeMs: 0 },
      { rank: 2, name: 'Moss', rating: '1e21', timeMs: 0 },
    ]);
  });

  it.each([
    ['a time above a day', '{"name":"Ada","time":2147483647}', /time/],
    ['a time without a format', '{"name":"Ada","time":"512h"}', /no readable time/],
    ['a later first rank', '{"rank":4,"name":"Ada","score":1}', /begins at rank 4/],
    [
      'falling ranks',
      '{"rank":1,"name":"Ada","score":2},{"rank":3,"name":"Owl","score":2},{"rank":2,"name":"Moss","score":1}',
      /fall/,
    ],
  ])('is refused with a leaderboard of %s', (_, rows, reason) => {
    expect(() => readBoard(rows)).toThrow(reason);
  });

  it('has unknown texts that are null', () => {
    const template = { title: '/t', publisher: '/p', releaseDate: '/d' };
    const { metadata } = parseText(
      { parser: 'gameData', template },
      '{"t":"Pier","p":null,"d":null}',
    ) as GamePageReading;
    expect(metadata).toEqual({ title: 'Pier', publisher: '', releaseDate: '' });
  });

  it('is refused with more players than places', () => {
    const template = { title: '/t', matches: { each: '/m', host: '/h', players: '/p', maxPlayers: '/x' } };
    const text = '{"t":"Pier","m":[{"h":"Ada","p":9,"x":8}]}';
    expect(() => parseText({ parser: 'gameData', template }, text)).toThrow(/9 of 8/);
  });

  it('has users seen at times of any offset, but none of the future', () => {
    const seenAt = Date.parse('2026-01-31T18:00:00Z') / 1000;
    const readUser = (lastSeenAt: string) => {
      const players = [{ username: 'ada', isOnline: true, lastSeenAt }];
      return parseText({ parser: 'players', seenAt }, JSON.stringify({ players, next: null }));
    };
    const seen = { players: [{ lastSeenAt: '2026-01-31T17:50:00Z' }] };
    expect(readUser('2026-01-31T17:50:00+00:00')).toMatchObject(seen);
    expect(readUser('2026-01-31T19:50:00.123+0200')).toMatchObject(seen);
    expect(() => readUser('2099-01-31T17:50:00Z')).toThrow(/1 can't be read, the first because of lastSeenAt 2099/);
  });
});
