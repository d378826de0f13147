import { Lane } from '../src/lane.ts';

const NEVER_MS = 60_000;

/** A lane of one turn, which is taken, and who was served in what order. */
function busyLane(waitMs = NEVER_MS) {
  let now = 0;
  const lane = new Lane({ width: 1, waiting: 10, waitMs, now: () => now });
  const served: string[] = [];
  lane.take();
  return {
    lane,
    served,
    pass: (ms: number) => {
      now += ms;
    },
    come: async (name: string) => {
      if (await lane.wait()) served.push(name);
    },
  };
}

describe('a lane', () => {
  it('serves in the order of coming, while that is quick', async () => {
    const { lane, served, come, pass } = busyLane();
    const all = ['a', 'b', 'c'].map(come);
    pass(NEVER_MS / 2);
    all.forEach(() => lane.release());
    await Promise.all(all);
    expect(served).toEqual(['a', 'b', 'c']);
  });

  it('serves the newest first, where the oldest has waited for more than half of its time', async () => {
    const { lane, served, come, pass } = busyLane();
    const all = ['a', 'b'].map(come);
    pass(NEVER_MS / 2 + 1);
    all.push(come('c'));
    all.forEach(() => lane.release());
    await Promise.all(all);
    expect(served).toEqual(['c', 'b', 'a']);
  });

  it('gives back a turn that nobody waits for, and one that somebody waited for in vain', async () => {
    const { lane, served, come } = busyLane(10);
    await come('late');
    expect(served).toEqual([]);
    expect(lane.isIdle()).toBe(false);
    lane.release();
    expect([lane.isIdle(), lane.take(), lane.take()]).toEqual([true, true, false]);
  });
});
