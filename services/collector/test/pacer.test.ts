import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { createPacer, type Urgency } from '../src/adapters/http/pacer.ts';

/** A clock that only moves when somebody sleeps, and then as late as a busy machine's timers. */
function fakeTime(latenessMs: () => number) {
  const time = { nowMs: 1000 };
  const sleep = async (ms: number) => {
    // Whoever has had a turn looks at the clock before it moves on.
    await setImmediate();
    time.nowMs += ms + latenessMs();
  };
  return { time, sleep, now: () => time.nowMs };
}

const always = () => true;

/** When each of `count` turns that are asked for at once is had. */
async function turnsOf(count: number, perSecond: number, latenessMs: () => number = () => 0): Promise<number[]> {
  const { sleep, now } = fakeTime(latenessMs);
  const pacer = createPacer({ perSecond, now, sleep });
  return Promise.all(Array.from({ length: count }, () => pacer.turn(always).then(now)));
}

describe('the pacer', () => {
  it('spreads turns evenly', async () => {
    const turns = await turnsOf(5, 20);
    expect(turns).toEqual([1000, 1050, 1100, 1150, 1200]);
  });

  it('gives no second more turns than allowed, and hardly fewer, however late timers are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), fc.infiniteStream(fc.nat(20)), async (perSecond, lateness) => {
        const turns = await turnsOf(3 * perSecond, perSecond, () => Number(lateness.next().value));
        for (const begin of turns) {
          expect(turns.filter((turn) => turn >= begin && turn < begin + 1000).length).toBeLessThanOrEqual(perSecond);
        }
        expect(turns.at(-1)).toBeLessThan(1000 + 3000 + 3 * 25 + 1000 / perSecond);
      }),
      { numRuns: 50 },
    );
  });

  it('saves nothing up while nobody asks', async () => {
    const { time, sleep, now } = fakeTime(() => 0);
    const pacer = createPacer({ perSecond: 10, now, sleep });
    await pacer.turn(always);
    time.nowMs += 60_000;
    const turns = await Promise.all([1, 2, 3].map(() => pacer.turn(always).then(now)));
    expect(turns).toEqual([61_000, 61_100, 61_200]);
  });

  it('gives no turn to what isn’t wanted any more, and uses none up for it', async () => {
    const { sleep, now } = fakeTime(() => 0);
    const pacer = createPacer({ perSecond: 10, now, sleep });
    const turns = [always, () => now() < 1050, always].map(async (isWanted) => [await pacer.turn(isWanted), now()]);
    expect(await Promise.all(turns)).toEqual([
      [true, 1000],
      [false, 1100],
      [true, 1100],
    ]);
  });

  it('lets go first what asks to, and last what has time', async () => {
    const { sleep, now } = fakeTime(() => 0);
    const pacer = createPacer({ perSecond: 10, now, sleep });
    const order: string[] = [];
    const turn = async (name: string, urgency?: Urgency) => {
      await pacer.turn(always, urgency);
      order.push(name);
    };
    await Promise.all([turn('a'), turn('board', 'last'), turn('b'), turn('c'), turn('past', 'first')]);
    expect(order.indexOf('past')).toBeLessThan(2);
    expect(order.filter((name) => name !== 'past')).toEqual(['a', 'b', 'c', 'board']);
  });
});
