import { operations, streamEvents } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { IMAGE } from '../stack/image.ts';
import { compose, gatewayUrl, project } from './stack.ts';

/** Keep-alive connections that request a path at an interval; prints the counts of statuses each second. */
const PROGRAM = `
  const { count, path, everyMs } = JSON.parse(process.argv[1]);
  const counts = {};
  for (let i = 0; i < count; i += 1) {
    const socket = require('net').connect(8080, 'nginx');
    const ask = () => socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: test\\r\\n\\r\\n');
    socket.once('connect', () => { ask(); setInterval(ask, everyMs); });
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const status = /^HTTP.1.1 (\\d+)/.exec(chunk.toString('latin1'))?.[1];
      if (status !== undefined) counts[status] = (counts[status] ?? 0) + 1;
    });
  }
  setInterval(() => console.log(JSON.stringify(counts)), 1000);
`;
const REQUESTS = 500;

interface Connections {
  addresses: number;
  connections: number;
  everyMs: number;
  path: string;
}

/** Connections of as many addresses as there are containers. Resolves once each has its first response. */
async function openConnections({ addresses, connections, everyMs, path }: Connections): Promise<string[]> {
  const settings = JSON.stringify({ count: connections / addresses, path, everyMs });
  const run = ['run', '-d', '--rm', '--ulimit', 'nofile=8192', '--network', `${project}_public`];
  const ids = await Promise.all(
    Array.from({ length: addresses }, () => docker([...run, IMAGE, 'node', '-e', PROGRAM, settings])),
  );
  await eventually(
    async () => {
      const lines = await Promise.all(ids.map((id) => docker(['logs', '--tail', '1', id])));
      const counts = lines.map((line) => JSON.parse(line === '' ? '{}' : line) as Record<string, number>);
      const responses = counts.flatMap((one) => Object.values(one)).reduce((sum, count) => sum + count, 0);
      expect(responses).toBeGreaterThanOrEqual(connections);
    },
    { everyMs: 500 },
  );
  return ids;
}

/** Statuses of other clients' requests, each on a connection of its own. */
async function statusesOfOthers(): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (let sent = 0; sent < REQUESTS; sent += 1) {
    const path = sent % 2 === 0 ? operations.getNow.path : `${operations.listGames.path}?limit=1&offset=${sent}`;
    const { status } = await fetch(gatewayUrl + path, { headers: { connection: 'close' } });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

beforeAll(() => compose('up', '-d', '--wait', '--no-recreate'), 300_000);

it.each([
  { addresses: 1, connections: 990, everyMs: 1500, path: operations.getNow.path },
  { addresses: 20, connections: 4000, everyMs: 3000, path: operations.getNow.path },
  // More streams than a gateway has: further ones get 503.
  { addresses: 20, connections: 4600, everyMs: 3_600_000, path: streamEvents.path },
])(
  'no request of others fails while $addresses addresses have $connections connections for $path',
  async (connections) => {
    const ids = await openConnections(connections);
    try {
      expect(await statusesOfOthers()).toEqual({ 200: REQUESTS });
    } finally {
      await docker(['rm', '-f', ...ids]);
    }
  },
  180_000,
);
