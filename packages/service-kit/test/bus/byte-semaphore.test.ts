import { ByteSemaphore } from '../../src/bus/rabbitmq/byte-semaphore.ts';

const MAX_IN_FLIGHT_BYTES = 8 * 1024 * 1024;

describe('the in-flight byte limit', () => {
  function begun() {
    const gate = new ByteSemaphore(MAX_IN_FLIGHT_BYTES);
    const names: string[] = [];
    const enter = (name: string, bytes: number, isUrgent = false) =>
      gate.acquire(bytes, isUrgent, () => {
        names.push(name);
      });
    return { gate, names, enter };
  }

  it('starts bodies up to the limit, and the next in order as others are released', () => {
    const { gate, names, enter } = begun();
    const half = MAX_IN_FLIGHT_BYTES / 2;
    for (const name of ['a', 'b', 'c', 'd']) enter(name, half);
    expect(names).toEqual(['a', 'b']);
    gate.release(half);
    expect(names).toEqual(['a', 'b', 'c']);
    gate.release(half);
    expect(names).toEqual(['a', 'b', 'c', 'd']);
  });

  it('starts a body above the limit alone', () => {
    const { gate, names, enter } = begun();
    enter('large', 3 * MAX_IN_FLIGHT_BYTES);
    enter('small', 1);
    expect(names).toEqual(['large']);
    gate.release(3 * MAX_IN_FLIGHT_BYTES);
    expect(names).toEqual(['large', 'small']);
  });

  it('starts urgent bodies before the others', () => {
    const { gate, names, enter } = begun();
    enter('first', MAX_IN_FLIGHT_BYTES);
    enter('past', 1);
    enter('live', 1, true);
    gate.release(MAX_IN_FLIGHT_BYTES);
    expect(names).toEqual(['first', 'live', 'past']);
  });

  it('starts 20,000 bodies that are released at once without a stack overflow', () => {
    const gate = new ByteSemaphore(MAX_IN_FLIGHT_BYTES);
    let count = 0;
    gate.acquire(MAX_IN_FLIGHT_BYTES, false, () => undefined);
    for (let i = 0; i < 20_000; i += 1) {
      gate.acquire(1, false, () => {
        count += 1;
        gate.release(1);
      });
    }
    gate.release(MAX_IN_FLIGHT_BYTES);
    expect(count).toBe(20_000);
  });
});
