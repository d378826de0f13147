import { readCommandLine, USAGE } from '../src/command-line.ts';

describe('command line', () => {
  it('runs on port 8090 by default and accepts options', () => {
    expect(readCommandLine([])).toMatchObject({ kind: 'run', options: { port: 8090, titles: 200, latencyMs: 0 } });
    expect(readCommandLine(['--port', '0', '--seed', 'x', '--open-matches=12.5', '--latency', '50'])).toMatchObject({
      kind: 'run',
      options: { port: 0, seed: 'x', openMatches: 12.5, latencyMs: 50 },
    });
  });

  it('--help lists every flag', () => {
    expect(readCommandLine(['--help'])).toEqual({ kind: 'help' });
    const network = [
      'discord-token',
      'seed',
      'titles',
      'boards',
      'entries',
      'board-changes',
      'players',
      'open-matches',
      'skew',
    ];
    for (const flag of [...network, 'port', 'host', 'latency']) expect(USAGE).toContain(`--${flag} `);
  });

  it.each([
    [['--titels', '3'], 'titels'],
    [['--titles', 'many'], 'titles: must be a number'],
    [['--titles', '0'], 'titles'],
    [['--port', '70000'], 'port'],
    [['--open-matches', '-1'], 'open-matches'],
    [['--board-changes', '2'], 'board-changes'],
    [['--discord-token', 'two words'], 'discord-token'],
    [['--latency', '1e9'], 'latency: must be a number'],
    [['serve'], 'serve'],
  ])('%j is rejected with an error that names %s', (args, name) => {
    expect(readCommandLine(args)).toEqual({ kind: 'bad', error: expect.stringContaining(name) });
  });
});
