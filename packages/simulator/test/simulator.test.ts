import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { createSimulator } from '../src/index.ts';
import { NOW } from './running-simulator.ts';

const SMALL = { titles: 5, openMatches: 3, clock: () => NOW };

describe('a simulator', () => {
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

  it('takes no more requests once it has stopped, and may be stopped twice', async () => {
    const simulator = createSimulator(SMALL);
    const { url } = await simulator.start();
    await (await fetch(url)).text();
    await simulator.stop();
    await simulator.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('is started once', async () => {
    const simulator = createSimulator(SMALL);
    await simulator.start();
    await expect(simulator.start()).rejects.toThrow('already started');
    await simulator.stop();
  });

  it('says so when its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(createSimulator({ ...SMALL, port }).start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await new Promise((resolve) => other.close(resolve));
  });

  it('writes down what is done to it', async () => {
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
