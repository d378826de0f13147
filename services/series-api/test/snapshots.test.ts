import { readSlot } from '../src/slots/snapshots.ts';
import { CHESS, HARBOR, NOW, observation, RALLY } from './observations.ts';

describe('slot observation', () => {
  it('sums lobbies over titles and players over hosts', () => {
    const { site, titles } = readSlot(
      observation(NOW, {
        online: 9,
        registered: 100,
        titles: { [HARBOR]: { matches: { Ada: 3, Bob: 4 } }, [RALLY]: { matches: { Ada: 1 } }, [CHESS]: {} },
      }),
    );
    expect(site).toEqual({ slot: NOW, online: 9, registered: 100, lobbies: 3, missing: 0 });
    expect(titles.map(({ titleId, lobbies, lobbyPlayers }) => [titleId, lobbies, lobbyPlayers])).toEqual([
      [HARBOR, 2, 7],
      [RALLY, 1, 1],
      [CHESS, 0, 0],
    ]);
  });

  it('has no lobby count when a title is missing, and counts missing titles', () => {
    const { site, titles } = readSlot(
      observation(NOW, { titles: { [HARBOR]: { matches: null }, [RALLY]: { matches: { Ada: 1 } } } }),
    );
    expect(site).toMatchObject({ lobbies: null, missing: 1 });
    expect(titles[0]).toMatchObject({ lobbies: null, lobbyPlayers: null });
    expect(titles[1]).toMatchObject({ lobbies: 1, lobbyPlayers: 1 });
  });

  it('the first of two entries of a title wins', () => {
    const twice = observation(NOW, { titles: { [HARBOR]: { online: 3, matches: { Ada: 1 } } } });
    const [title] = twice.titles;
    twice.titles.push({ ...title!, online: 9, matches: null });
    expect(readSlot(twice)).toMatchObject({ site: { lobbies: 1, missing: 0 }, titles: [{ online: 3 }] });
  });

  it('the larger of two matches of a host on one page wins', () => {
    const matches = [
      { host: 'Ada', players: 3, maxPlayers: 8 },
      { host: 'Ada', players: 3, maxPlayers: 16 },
      { host: 'Ada', players: 2, maxPlayers: 32 },
      { host: 'Bob\ud800', players: 1, maxPlayers: 2 },
      { host: 'Bob\ud801', players: 2, maxPlayers: 2 },
    ];
    const read = readSlot(observation(NOW, { titles: { [HARBOR]: { matches } } }));
    expect(read.matches).toEqual([
      { slot: NOW, titleId: HARBOR, host: 'Ada', players: 3, maxPlayers: 16 },
      { slot: NOW, titleId: HARBOR, host: 'Bob\ufffd', players: 2, maxPlayers: 2 },
    ]);
    expect(read.titles[0]).toMatchObject({ lobbies: 2, lobbyPlayers: 5 });
  });

  it.each([
    ['online', { online: 2 ** 31 }],
    ['registered', { registered: Number.MAX_SAFE_INTEGER }],
    ['a title’s players', { titles: { [HARBOR]: { players: 2 ** 31 } } }],
    ['a host’s players', { titles: { [HARBOR]: { matches: { Ada: 2 ** 31 } } } }],
  ])('is rejected when %s exceeds the maximum count', (_, sketch) => {
    expect(() => readSlot(observation(NOW, sketch))).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});
