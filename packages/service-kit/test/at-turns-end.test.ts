import { setImmediate as nextTurn } from 'node:timers/promises';
import { atTurnsEnd } from '@lobbystats/service-kit';

describe('what is done at the end of a turn', () => {
  it('is done in order, not before, and what it asks for itself a turn later', async () => {
    const done: string[] = [];
    atTurnsEnd(() => {
      done.push('first');
      atTurnsEnd(() => done.push('third'));
    });
    atTurnsEnd(() => done.push('second'));
    await Promise.resolve();
    expect(done).toEqual([]);
    await nextTurn();
    expect(done).toEqual(['first', 'second']);
    await nextTurn();
    expect(done).toEqual(['first', 'second', 'third']);
  });
});
