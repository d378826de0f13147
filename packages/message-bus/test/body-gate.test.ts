import { BodyGate, IN_HAND_BYTES_MAX } from '../src/body-gate.ts';

describe('a body gate', () => {
  function begun() {
    const gate = new BodyGate();
    const names: string[] = [];
    const enter = (name: string, bytes: number, isUrgent = false) =>
      gate.enter(bytes, isUrgent, () => {
        names.push(name);
      });
    return { gate, names, enter };
  }

  it('lets in until there are as many bytes as may be, and more in order when some have left', () => {
    const { gate, names, enter } = begun();
    const half = IN_HAND_BYTES_MAX / 2;
    for (const name of ['a', 'b', 'c', 'd']) enter(name, half);
    expect(names).toEqual(['a', 'b']);
    gate.leave(half);
    expect(names).toEqual(['a', 'b', 'c']);
    gate.leave(half);
    expect(names).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets one body in that is larger than that, alone', () => {
    const { gate, names, enter } = begun();
    enter('large', 3 * IN_HAND_BYTES_MAX);
    enter('small', 1);
    expect(names).toEqual(['large']);
    gate.leave(3 * IN_HAND_BYTES_MAX);
    expect(names).toEqual(['large', 'small']);
  });

  it('lets the urgent in before the others', () => {
    const { gate, names, enter } = begun();
    enter('first', IN_HAND_BYTES_MAX);
    enter('past', 1);
    enter('live', 1, true);
    gate.leave(IN_HAND_BYTES_MAX);
    expect(names).toEqual(['first', 'live', 'past']);
  });

  it('takes thousands that leave as soon as they are begun', () => {
    const gate = new BodyGate();
    let count = 0;
    gate.enter(IN_HAND_BYTES_MAX, false, () => undefined);
    for (let i = 0; i < 20_000; i += 1) {
      gate.enter(1, false, () => {
        count += 1;
        gate.leave(1);
      });
    }
    gate.leave(IN_HAND_BYTES_MAX);
    expect(count).toBe(20_000);
  });
});
