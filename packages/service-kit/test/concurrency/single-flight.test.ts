import { SingleFlight } from '../../src/concurrency/index.ts';

describe('SingleFlight', () => {
  it('runs work once for concurrent calls of a key, and again afterwards', async () => {
    const flights = new SingleFlight<string>();
    let runs = 0;
    const work = () => {
      runs += 1;
      return Promise.resolve(runs);
    };
    expect(await Promise.all(['a', 'a', 'b'].map((key) => flights.run(key, work)))).toEqual([1, 1, 2]);
    expect(await flights.run('a', work)).toBe(3);
  });

  it('rejects all concurrent calls with the error of the work, and runs it again afterwards', async () => {
    const flights = new SingleFlight<string>();
    const fails = () => Promise.reject(new Error('failed'));
    const [first, second] = await Promise.allSettled([
      flights.run('a', fails),
      flights.run('a', () => Promise.resolve(1)),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
    await expect(flights.run('a', () => Promise.resolve(2))).resolves.toBe(2);
  });
});
