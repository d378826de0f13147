import { throttle } from '../src/ratings/throttle.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('throttle', () => {
  it('runs a single call at once', () => {
    const work = jest.fn();
    const ask = throttle(50, work);
    ask();
    expect(work).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1000);
    expect(work).toHaveBeenCalledTimes(1);
    ask();
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('runs once per interval for many calls, and once more after the last call', () => {
    const work = jest.fn();
    const ask = throttle(50, work);
    for (let ms = 0; ms < 100; ms += 1) {
      ask();
      jest.advanceTimersByTime(1);
    }
    expect(work).toHaveBeenCalledTimes(3);
    ask();
    jest.advanceTimersByTime(50);
    expect(work).toHaveBeenCalledTimes(4);
    jest.advanceTimersByTime(1000);
    expect(work).toHaveBeenCalledTimes(4);
  });
});
