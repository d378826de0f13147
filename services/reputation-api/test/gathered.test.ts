import { gathered } from '../src/messaging/gathered.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('work that is gathered', () => {
  it('is done at once for who asks alone', () => {
    const work = jest.fn();
    const ask = gathered(50, work);
    ask();
    expect(work).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1000);
    expect(work).toHaveBeenCalledTimes(1);
    ask();
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('is done once in its time for all who ask meanwhile, and for the last of them too', () => {
    const work = jest.fn();
    const ask = gathered(50, work);
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
