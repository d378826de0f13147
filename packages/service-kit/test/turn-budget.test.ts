import { setImmediate as nextTurn } from 'node:timers/promises';
import { cleanUp } from '@lobbystats/test-kit';
import { withinTurnBudget } from '../src/http/turn-budget.ts';

describe('answers that are begun', () => {
  it('fill a turn of the event loop up to its budget, and go on in order in the turns behind it', async () => {
    let nowMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    cleanUp(() => clock.mockRestore());
    const begun: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      withinTurnBudget(() => {
        begun.push(i);
        nowMs += 6;
      });
    }
    const seen = [];
    for (let turn = 0; turn < 4; turn += 1) {
      seen.push([...begun]);
      await nextTurn();
    }
    expect(seen[0]).toEqual([0, 1]);
    expect(seen.map(({ length }) => length)).toEqual([2, 4, 6, 6]);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
