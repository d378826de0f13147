import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, eventually, startService, stopAll, temporaryDirectory } from '@lobbystats/test-kit';

function exampleService(log: string[], name: string) {
  return {
    name,
    url: () => `http://127.0.0.1/${name}`,
    start: async () => void log.push(`start ${name}`),
    stop: async () => void log.push(`stop ${name}`),
  };
}

describe('startService', () => {
  const log: string[] = [];

  it('starts a service and returns its URL', async () => {
    expect(await startService(exampleService(log, 'left'))).toBe('http://127.0.0.1/left');
    expect(log).toEqual(['start left']);
  });

  it('stops the service after its test', () => {
    expect(log).toEqual(['start left', 'stop left']);
  });

  it('stopAll stops services once, in reverse order', async () => {
    const order: string[] = [];
    await startService(exampleService(order, 'a'));
    await startService(exampleService(order, 'b'));
    await stopAll();
    await stopAll();
    expect(order).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('stops a service even if another one fails to stop', async () => {
    const order: string[] = [];
    await startService(exampleService(order, 'a'));
    cleanUp(() => Promise.reject(new Error('stuck')));
    await expect(stopAll()).rejects.toThrow('Cleaning up failed');
    expect(order).toContain('stop a');
  });
});

describe('temporaryDirectory', () => {
  const fileDirectory = temporaryDirectory('file');
  let testDirectory = '';

  it('exists during its test', () => {
    testDirectory = temporaryDirectory();
    writeFileSync(join(testDirectory, 'file'), 'text');
    expect(existsSync(join(testDirectory, 'file'))).toBe(true);
  });

  it('is removed at the end of its scope', () => {
    expect([existsSync(testDirectory), existsSync(fileDirectory)]).toEqual([false, true]);
  });
});

describe('eventually', () => {
  it('returns the result of the first attempt that succeeds', async () => {
    let asked = 0;
    const result = await eventually(() => {
      asked += 1;
      if (asked < 3) throw new Error('not yet');
      return asked;
    });
    expect(result).toBe(3);
  });

  it('throws the last error at its deadline', async () => {
    await expect(eventually(() => Promise.reject(new Error('never')), { timeoutMs: 30 })).rejects.toThrow('never');
  });
});
