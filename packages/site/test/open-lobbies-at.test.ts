import { openLobbiesAt } from '../src/pages/game/open-lobbies-at.ts';

describe('open lobbies at a slot', () => {
  it('are the runs that include it, their first and last snapshot included', () => {
    const run = (startedAt: string, endedAt: string) => ({
      startedAt: `2027-01-15 ${startedAt}:00`,
      endedAt: `2027-01-15 ${endedAt}:00`,
    });
    const noon = Date.UTC(2027, 0, 15, 12) / 1000;
    const slots = [0, 300, 600, 900].map((seconds) => noon + seconds);
    const runs = [run('11:00', '12:05'), run('12:05', '12:05'), run('12:10', '12:30')];
    expect(openLobbiesAt(slots, runs)).toEqual([1, 2, 1, 1]);
    expect(openLobbiesAt([], runs)).toEqual([]);
  });
});
