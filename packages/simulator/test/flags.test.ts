import { readFlags, type SimulatorFlags } from '../src/run-simulator.ts';

describe('flags', () => {
  it('start a simulator on port 8090 by default', () => {
    expect(readFlags({})).toMatchObject({ options: { port: 8090, titles: 200, latencyMs: 0 } });
    expect(readFlags({ port: '0', seed: 'x', openMatches: '12.5', latency: '50' })).toMatchObject({
      options: { port: 0, seed: 'x', openMatches: 12.5, latencyMs: 50 },
    });
  });

  it.each<[SimulatorFlags, string]>([
    [{ titles: 'many' }, 'titles: must be a number'],
    [{ titles: '0' }, 'titles'],
    [{ port: '70000' }, 'port'],
    [{ openMatches: '-1' }, 'open-matches'],
    [{ boardChanges: '2' }, 'board-changes'],
    [{ discordToken: 'two words' }, 'discord-token'],
    [{ latency: '1e9' }, 'latency: must be a number'],
  ])('%j are rejected with an error that names %s', (flags, name) => {
    expect(readFlags(flags)).toEqual({ error: expect.stringContaining(name) });
  });
});
