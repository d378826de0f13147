import { createServer, type AddressInfo } from 'node:net';
import { createSimulator } from '../src/index.ts';
import { NOW } from './running-simulator.ts';

const SMALL = { titles: 5, openMatches: 3, clock: () => NOW };

describe('simulator', () => {
  it('serves the same network after a restart', async () => {
    const simulator = createSimulator(SMALL);
    const pages: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const { url } = await simulator.start();
      pages.push(await (await fetch(url)).text());
      await simulator.stop();
    }
    expect(pages[0]).toContain('Users Online Now');
    expect(pages[1]).toBe(pages[0]);
  });

  it('accepts no requests after stop, and stop is idempotent', async () => {
    const simulator = createSimulator(SMALL);
    const { url } = await simulator.start();
    await (await fetch(url)).text();
    await simulator.stop();
    await simulator.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('rejects a second start', async () => {
    const simulator = createSimulator(SMALL);
    await simulator.start();
    await expect(simulator.start()).rejects.toThrow('already started');
    await simulator.stop();
  });

  it('rejects when its port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(createSimulator({ ...SMALL, port }).start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await new Promise((resolve) => other.close(resolve));
  });

  it('logs start, control requests and stop', async () => {
    const lines: string[] = [];
    const simulator = createSimulator({ ...SMALL, log: (line) => lines.push(line) });
    const { url } = await simulator.start();
    await fetch(`${url}/simulator/clock`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"now":null}',
    });
    await simulator.stop();
    expect(lines).toEqual([
      expect.stringContaining(url),
      expect.stringContaining('clock'),
      expect.stringContaining('stopped'),
    ]);
  });
});
