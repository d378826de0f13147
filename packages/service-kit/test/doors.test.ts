import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { doorsOf } from '../src/http/doors.ts';

const HERE = { host: '127.0.0.1', port: 0, setting: 'PORT' };
const CALLERS = 60;

/** A server that many may call at once. */
async function crowded(port = 0) {
  const server = createServer((_req, res) => res.end('{}'));
  const doors = doorsOf(server, true);
  cleanUp(() => {
    for (const door of doors.all) door.close();
    server.closeAllConnections();
  });
  return { server, doors, port: await doors.open({ ...HERE, port }) };
}

describe('doors', () => {
  it('all lead to the one server', async () => {
    const { server, port } = await crowded();
    let asked = 0;
    server.on('request', () => {
      asked += 1;
    });
    const statuses = await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        const { status } = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
        return status;
      }),
    );
    expect([asked, new Set(statuses)]).toEqual([CALLERS, new Set([200])]);
  });

  it('take in a crowd though each turn is long', async () => {
    const { server, port } = await crowded();
    let turns = 0;
    let taken = 0;
    server.on('connection', () => {
      taken += 1;
    });
    const callers = Array.from({ length: CALLERS }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    cleanUp(() => {
      for (const caller of callers) caller.destroy();
    });
    await eventually(
      () => {
        for (const end = performance.now() + 5; performance.now() < end;);
        turns += 1;
        expect(taken).toBe(CALLERS);
      },
      { everyMs: 0 },
    );
    // Through one door it takes as many turns as there are callers. Only Linux has more of them.
    expect(turns).toBeLessThan(process.platform === 'linux' ? CALLERS : 20 * CALLERS);
  });

  it('are not shared with another process: who finds the port in use is told so', async () => {
    const { port, server } = await crowded();
    expect((server.address() as AddressInfo).port).toBe(port);
    await expect(crowded(port)).rejects.toThrow(`port ${port} is in use: set PORT`);
  });
});
