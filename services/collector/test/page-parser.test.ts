import { createPageParser } from '../src/sources/parsing/page-parser.node.ts';
import type { ParserName } from '../src/sources/parsing/parsers.node.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** The limits with which a parser whose pages have a second runs a task. */
async function limitsOf(parser: ParserName) {
  const run = jest.fn().mockResolvedValue({ kind: 'read', json: '{}' });
  const options = { processes: 1, deadlineMs: 1000, memoryMb: 64, telemetry: silentTelemetry };
  await createPageParser(options, { run, close: () => Promise.resolve() }).parse(parser, '');
  return run.mock.calls[0]?.[1] as unknown;
}

describe('the time of a page to be parsed', () => {
  it.each(['home', 'siteCounts'] as const)('is five times as long for all games: %s', async (parser) => {
    expect(await limitsOf(parser)).toEqual({ deadlineMs: 5000, isUrgent: true });
  });

  it.each(['events', 'players'] as const)('is five times as long for a feed: %s', async (parser) => {
    expect(await limitsOf(parser)).toEqual({ deadlineMs: 5000, isUrgent: false });
  });

  it.each(['pastSlots', 'pastDays', 'pastBoards', 'pastPlayers'] as const)(
    'is twenty times as long for the past: %s',
    async (parser) => {
      expect(await limitsOf(parser)).toEqual({ deadlineMs: 20_000, isUrgent: false });
    },
  );

  it.each([
    ['game', true],
    ['gameWithBoards', true],
    ['gameData', true],
    ['board', false],
    ['boardEntries', false],
    ['icon', false],
  ] as const)('is as set for one game, leaderboard or icon: %s', async (parser, isUrgent) => {
    expect(await limitsOf(parser)).toEqual({ deadlineMs: 1000, isUrgent });
  });
});
