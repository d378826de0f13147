import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, eventually, startService, stopAll, temporaryDirectory } from '@lobbystats/test-kit';

function exampleService(told: string[], name: string) {
  return {
    name,
    url: () => `http://127.0.0.1/${name}`,
    start: async () => void told.push(`start ${name}`),
    stop: async () => void told.push(`stop ${name}`),
  };
}

describe('what a test starts', () => {
  const told: string[] = [];

  it('is stopped when the test is over', async () => {
    expect(await startService(exampleService(told, 'left'))).toBe('http://127.0.0.1/left');
    expect(told).toEqual(['start left']);
  });

  it('was stopped after the test before', () => {
    expect(told).toEqual(['start left', 'stop left']);
  });

  it('can be stopped earlier, the last first, once', async () => {
    const order: string[] = [];
    await startService(exampleService(order, 'a'));
    await startService(exampleService(order, 'b'));
    await stopAll();
    await stopAll();
    expect(order).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('is stopped also when another fails to stop', async () => {
    const order: string[] = [];
    await startService(exampleService(order, 'a'));
    cleanUp(() => Promise.reject(new Error('stuck')));
    await expect(stopAll()).rejects.toThrow('Cleaning up failed');
    expect(order).toContain('stop a');
  });
});

describe('a temporary directory', () => {
  const kept = temporaryDirectory('file');
  let gone = '';

  it('is empty, and there for its test', () => {
    gone = temporaryDirectory();
    writeFileSync(join(gone, 'file'), 'text');
    expect(existsSync(join(gone, 'file'))).toBe(true);
  });

  it('is gone with its scope', () => {
    expect([existsSync(gone), existsSync(kept)]).toEqual([false, true]);
  });
});

describe('eventually', () => {
  it('gives what the expectation returns once it holds', async () => {
    let asked = 0;
    const result = await eventually(() => {
      asked += 1;
      if (asked < 3) throw new Error('not yet');
      return asked;
    });
    expect(result).toBe(3);
  });

  it('throws what the expectation threw last when the time is over', async () => {
    await expect(eventually(() => Promise.reject(new Error('never')), { timeoutMs: 30 })).rejects.toThrow('never');
  });
});
